//! The seam over a match: orders in, a running match out.
