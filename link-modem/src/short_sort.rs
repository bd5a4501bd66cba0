//! Sorting few values in little code: the standard library brings two algorithms for long lists along, for every type
//! that is sorted, 5 kB each.

/// Sorts `values` by what comes `before` what; of equal ones the order stays. Takes the square of their number, so it is for
/// a handful, twenty at most.
#[inline]
pub(crate) fn sort_few<T: Copy>(values: &mut [T], before: impl Fn(&T, &T) -> bool) {
    for from in 1..values.len() {
        let value = values[from];
        let mut at = from;
        while at > 0 && before(&value, &values[at - 1]) {
            values[at] = values[at - 1];
            at -= 1;
        }
        values[at] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_librarys_stable_sort() {
        let mut word = 1_u32;
        for count in (0..=20).cycle().take(500) {
            let mut values: Vec<(u32, usize)> = (0..count)
                .map(|i| {
                    word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (word >> 29, i)
                })
                .collect();
            let mut wanted = values.clone();
            sort_few(&mut values, |a, b| a.0 < b.0);
            wanted.sort_by_key(|value| value.0);
            assert_eq!(values, wanted);
        }
    }
}
