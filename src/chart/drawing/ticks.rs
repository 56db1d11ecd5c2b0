//! Round numbers along an axis.

/// At most `count` multiples of 1, 2 or 5 times a power of ten from `low` to `high`, as dense as that allows.
pub fn linear(low: f64, high: f64, count: usize) -> Vec<f64> {
    let span = high - low;
    // The comparison also stops at what is not a number.
    if count == 0 || !(span > 0.0 && span.is_finite()) {
        return Vec::new();
    }
    // An exponent for which the step is surely too small; the search for the first that fits starts there.
    let mut exponent = (span / count as f64).log10().floor() as i32 - 1;
    loop {
        for digit in [1.0, 2.0, 5.0] {
            let step = Step { digit, exponent };
            let (first, last) = (step.index_above(low), step.index_below(high));
            // Where numbers lie so densely that steps cannot be told apart, indices stop being exact.
            if last - first < count as f64 && last.abs().max(first.abs()) < 9e15 {
                return (0..).map(|i| first + f64::from(i)).take_while(|i| *i <= last).map(|i| step.times(i)).collect();
            }
        }
        exponent += 1;
    }
}

/// At most `count` powers of `base` from `low` to `high`, at equal distances.
///
/// With a base of ten, also 2 and 5 times a power where there is room for all of them. Where fewer than two powers lie
/// in the range, [`linear`] ticks.
pub fn powers(base: f64, low: f64, high: f64, count: usize) -> Vec<f64> {
    let log = |value: f64| value.ln() / base.ln();
    // A power that is an end of the axis belongs to it, whatever the logarithm's last digit says.
    let (first, last) = ((log(low) - 1e-9).ceil() as i32, (log(high) + 1e-9).floor() as i32);
    if last <= first {
        return linear(low, high, count);
    }
    if base == 10.0 {
        let fine: Vec<f64> = (first - 1..=last)
            .flat_map(|exponent| [1.0, 2.0, 5.0].map(|digit| Step { digit, exponent }.times(1.0)))
            .filter(|value| *value >= low * (1.0 - 1e-9) && *value <= high * (1.0 + 1e-9))
            .collect();
        if fine.len() <= count {
            return fine;
        }
    }
    (1..)
        .map(|stride| (first..=last).filter(|exponent| exponent.rem_euclid(stride) == 0).collect::<Vec<_>>())
        .find(|exponents| exponents.len() <= count.max(1))
        .unwrap_or_default()
        .into_iter()
        .map(|exponent| base.powi(exponent))
        .collect()
}

/// A distance between ticks: `digit` × 10^`exponent`.
struct Step {
    digit: f64,
    exponent: i32,
}

impl Step {
    /// `index` steps. Dividing by a power of ten gives the number nearest the decimal (0.3, not 0.30000000000000004).
    fn times(&self, index: f64) -> f64 {
        match self.exponent {
            0.. => index * self.digit * 10f64.powi(self.exponent),
            _ => index * self.digit / 10f64.powi(-self.exponent),
        }
    }

    // The slack lets an end of the axis be a tick when the division misses the whole number by its last digit.
    fn index_above(&self, low: f64) -> f64 {
        (low / self.times(1.0) - 1e-9).ceil()
    }

    fn index_below(&self, high: f64) -> f64 {
        (high / self.times(1.0) + 1e-9).floor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_ticks_are_round_and_few() {
        assert_eq!(linear(0.0, 10_000.0, 6), [0.0, 2000.0, 4000.0, 6000.0, 8000.0, 10_000.0]);
        assert_eq!(linear(0.0, 1.0, 11), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
        assert_eq!(linear(-1.0, 2.0, 4), [-1.0, 0.0, 1.0, 2.0]);
        assert_eq!(linear(1.0, 1.000_001, 3), [1.0, 1.000_000_5, 1.000_001]);
        assert_eq!(linear(3.0, 7.9, 1), [5.0]);
        assert_eq!(linear(0.0, 1.0, 0), [0.0; 0]);
        assert_eq!(linear(1.0, 1.0, 5), [0.0; 0]);
        assert_eq!(linear(0.0, f64::INFINITY, 5), [0.0; 0]);
    }

    #[test]
    fn linear_ticks_never_exceed_their_number_at_any_size() {
        for exponent in -300..300 {
            let high = 7.3 * 10f64.powi(exponent);
            for count in 1..12 {
                let ticks = linear(0.31 * high, high, count);
                assert!(ticks.len() <= count);
                assert!(count < 3 || ticks.len() >= 2, "{high} {count} {ticks:?}");
                assert!(ticks.iter().all(|tick| (0.31 * high..=high).contains(tick)));
            }
        }
    }

    #[test]
    fn neighbouring_numbers_still_end() {
        let ticks = linear(1.0, 1.0 + f64::EPSILON, 5);
        assert!(ticks.len() <= 5);
    }

    #[test]
    fn powers_are_thinned_evenly() {
        assert_eq!(powers(2.0, 1.0, 4096.0, 13), (0..=12).map(|i| 2f64.powi(i)).collect::<Vec<_>>());
        assert_eq!(powers(2.0, 1.0, 4096.0, 7), [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0]);
        assert_eq!(powers(10.0, 1.0, 1e6, 3), [1.0, 1e3, 1e6]);
        assert_eq!(powers(10.0, 1.75, 112.0, 6), [2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(powers(10.0, 1.75, 112.0, 5), [10.0, 100.0]);
        assert_eq!(powers(10.0, 2.0, 9.0, 8), [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        assert_eq!(powers(10.0, 1e-3, 1.0, 4), [1e-3, 1e-2, 1e-1, 1.0]);
    }
}
