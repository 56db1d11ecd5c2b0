//! Where something stops fitting: the edge between numbers that need no more than a limit and numbers that need more.

use crate::units::Bytes;

/// Along what the bytes needed are nearly a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The number itself: tokens, requests.
    Number,
    /// One over the number: ranks, which share what is sharded.
    Inverse,
}

impl Axis {
    /// The place of a number on the axis, and equally the number at a place.
    fn at(self, value: f64) -> f64 {
        match self {
            Axis::Number => value,
            Axis::Inverse => 1.0 / value,
        }
    }
}

/// The number next to the edge that still fits, between one that `fits` and one that does not, each with what it needs.
///
/// The next guess is where a straight line through both ends meets the limit; every other guess is the middle, so that
/// it ends however the curve bends.
pub fn edge(
    mut fits: (u64, Bytes),
    mut exceeds: (u64, Bytes),
    limit: Bytes,
    axis: Axis,
    needed: impl Fn(u64) -> Bytes,
) -> u64 {
    let mut halve = false;
    while fits.0.abs_diff(exceeds.0) > 1 {
        let (low, high) = (fits.0.min(exceeds.0), fits.0.max(exceeds.0));
        let [from, to] = [fits.0, exceeds.0].map(|number| axis.at(number as f64));
        let share = (limit.get() - fits.1.get()) / (exceeds.1.get() - fits.1.get());
        let meets = axis.at(from + share * (to - from)).floor();
        let guess = if halve || !meets.is_finite() { low + (high - low) / 2 } else { meets.max(0.0) as u64 };
        halve = !halve;
        // The exact answer is often the guess itself; its neighbour then settles the matter.
        for number in [guess, guess.saturating_add(1)] {
            let between = fits.0.min(exceeds.0) < number && number < fits.0.max(exceeds.0);
            if between {
                let needs = needed(number);
                *(if needs <= limit { &mut fits } else { &mut exceeds }) = (number, needs);
            }
        }
    }
    fits.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every edge of a straight line and of a hyperbola, found from either side.
    #[test]
    fn the_edge_is_exact() {
        let line = |number: u64| Bytes::whole(100.0 + 7.0 * number as f64);
        let shared = |ranks: u64| Bytes::whole(100.0 + 1e6 / ranks as f64);
        for place in 2..999 {
            let limit = line(place);
            assert_eq!(edge((1, line(1)), (1000, line(1000)), limit, Axis::Number, line), place);
            let limit = shared(place);
            let fewest = edge((1000, shared(1000)), (1, shared(1)), limit, Axis::Inverse, shared);
            assert!(shared(fewest) <= limit && shared(fewest - 1) > limit, "{place}: {fewest}");
        }
    }

    /// A step, which no line meets: halving alone has to find it.
    #[test]
    fn a_step_is_found() {
        let step = |number: u64| Bytes::whole(if number > 613 { 1e9 } else { 0.0 });
        assert_eq!(edge((1, step(1)), (1 << 40, step(1 << 40)), Bytes::whole(1.0), Axis::Number, step), 613);
    }
}
