//! Which channel of a microphone that has several is heard. Knows nothing of what is in it.

/// A channel this much quieter than another is a dead one: a stereo capture with one microphone connected.
const DEAD_DB: f32 = 40.0;

/// The channel to hear out of some with these energies (sums of squares over the same frames): the first, unless
/// another is more than 40 dB louder. Channels are never added, since two live microphones filter each other like a
/// comb.
#[must_use]
pub fn louder_channel(energies: impl IntoIterator<Item = f32>) -> usize {
    let mut energies = energies.into_iter();
    let first = energies.next().unwrap_or(0.0);
    let mut chosen = (0, first * 10.0_f32.powf(DEAD_DB / 10.0));
    for (channel, energy) in (1..).zip(energies) {
        if energy > chosen.1 {
            chosen = (channel, energy);
        }
    }
    chosen.0
}

/// The sum of squares of the samples that are numbers, however large they are.
pub(crate) fn energy(samples: impl IntoIterator<Item = f32>) -> f32 {
    samples
        .into_iter()
        .filter(|sample| sample.is_finite())
        .map(|sample| sample.clamp(-1e6, 1e6).powi(2))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_channel_unless_another_is_more_than_40_db_louder() {
        assert_eq!(louder_channel([1.0, 9_999.0]), 0);
        assert_eq!(louder_channel([1.0, 10_001.0]), 1);
        assert_eq!(louder_channel([1.0, 0.0]), 0);
        assert_eq!(louder_channel([0.0, 1e-12]), 1);
        assert_eq!(louder_channel([0.0, 1.0, 2.0]), 2);
        assert_eq!(louder_channel([0.0, 0.0]), 0);
        assert_eq!(louder_channel([]), 0);
    }

    #[test]
    fn what_is_not_a_number_has_no_energy() {
        assert_eq!(energy([f32::NAN, f32::INFINITY, 2.0]), 4.0);
        assert!(energy([f32::MAX; 8192]).is_finite());
    }
}
