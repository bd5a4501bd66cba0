//! Generators and oracles behind the fuzz targets, replayed by stable tests.
