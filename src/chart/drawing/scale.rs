//! From a value to its place on an axis, and the range an axis shows.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged};

use super::ticks;
use crate::chart::{Chart, Refusal, Spread};

impl Spread {
    fn is_logarithmic(self) -> bool {
        self != Spread::Linear
    }

    /// Whether a value has a place on such an axis at all.
    pub fn holds(self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !self.is_logarithmic())
    }
}

/// The smallest and the largest of values that have a place on an axis; in reverse order while there are none.
pub struct Extent {
    spread: Spread,
    low: f64,
    high: f64,
}

impl Extent {
    pub fn of(spread: Spread) -> Self {
        Self { spread, low: f64::INFINITY, high: f64::NEG_INFINITY }
    }

    pub fn include(&mut self, value: f64) {
        if self.spread.holds(value) {
            (self.low, self.high) = (self.low.min(value), self.high.max(value));
        }
    }
}

/// How values are spread, with the two ends, `low < high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub spread: Spread,
    pub low: f64,
    pub high: f64,
}

impl Scale {
    /// A scale from `min` to `max`, and where one is absent to the data's end with `room` (a share of the axis) beyond.
    ///
    /// # Errors
    /// Names the end that such an axis cannot hold or that is on the wrong side of the other.
    pub fn new(field: &str, min: Option<f64>, max: Option<f64>, data: Extent, room: f64) -> Result<Self, Refusal> {
        let Extent { spread, mut low, mut high } = data;
        for (end, value) in [("min", min), ("max", max)] {
            if let Some(value) = value
                && !spread.holds(value)
            {
                let allowed = if spread.is_logarithmic() { "positive numbers" } else { "finite numbers" };
                return Err(Refusal::new(&format!("{field}.{end}"), value, allowed));
            }
        }
        if let (Some(min), Some(max)) = (min, max)
            && min >= max
        {
            return Err(Refusal::new(&format!("{field}.max"), max, &format!("numbers above min, {min}")));
        }

        if low > high {
            // Nothing to show: an empty chart still has axes.
            (low, high) = match (min, max, spread) {
                (Some(end), _, _) | (_, Some(end), _) => (end, end),
                (None, None, Spread::Linear) => (0.0, 1.0),
                (None, None, _) => (1.0, 10.0),
            };
        }
        (low, high) = (min.unwrap_or(low), max.unwrap_or(high));
        if low >= high {
            // A constant, or data wholly beyond the one given end: open the free ends around what there is.
            let (below, above) = match spread {
                Spread::Linear => {
                    let half = if low == 0.0 { 1.0 } else { low.abs().max(high.abs()) * 0.1 };
                    (low.min(high) - half, low.max(high) + half)
                }
                _ => (low.min(high) / 10.0, low.max(high) * 10.0),
            };
            (low, high) = (min.unwrap_or(below), max.unwrap_or(above));
        } else {
            // Without room the end stays the number it is, not what comes back from a logarithm.
            let whole = Self { spread, low, high };
            let free = |end: f64, share: f64| if room == 0.0 { end } else { whole.value_at(share) };
            (low, high) = (min.unwrap_or_else(|| free(low, -room)), max.unwrap_or_else(|| free(high, 1.0 + room)));
        }
        // Ends so large that the distance between them, or room beyond them, is no longer a number.
        let scale = Self { spread, low, high };
        if !(spread.holds(low) && spread.holds(high) && low < high && (high - low).is_finite()) {
            return Err(Refusal::new(field, format!("{low} to {high}"), "a range that has a size"));
        }
        Ok(scale)
    }

    /// Where a value is between the ends, 0 to 1; beyond them less or more. `None` if it has no place,
    /// or one so far beyond that it cannot be told.
    pub fn share(&self, value: f64) -> Option<f64> {
        if !self.spread.holds(value) {
            return None;
        }
        let share = match self.spread {
            Spread::Linear => (value - self.low) / (self.high - self.low),
            _ => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        share.is_finite().then_some(share)
    }

    /// The value at a share of the axis: the reverse of [`share`](Self::share).
    pub fn value_at(&self, share: f64) -> f64 {
        match self.spread {
            Spread::Linear => self.low + (self.high - self.low) * share,
            _ => self.low * ((self.high / self.low).ln() * share).exp(),
        }
    }

    /// At most `count` round values between the ends.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        match self.spread {
            Spread::Linear => ticks::linear(self.low, self.high, count),
            Spread::Log2 => ticks::powers(2.0, self.low, self.high, count),
            Spread::Log10 => ticks::powers(10.0, self.low, self.high, count),
        }
    }
}

/// The scales of a chart's two axes, from given ends or from the data.
///
/// # Errors
/// When an axis has its ends in the wrong order, or a logarithmic one reaches zero.
pub fn scales(chart: &Chart) -> Result<(Scale, Scale), Refusal> {
    let (x, y) = (&chart.x, &chart.y);
    let (mut xs, mut ys) = (Extent::of(x.spread), Extent::of(y.spread));
    let corners = chart.lines.iter().flat_map(|line| &line.at).chain(chart.points.iter().map(|point| &point.at));
    for (x, y) in corners {
        xs.include(*x);
        ys.include(*y);
    }
    if let Some(marker) = &chart.marker {
        ys.include(marker.y);
    }
    Ok((Scale::new("x", x.min, x.max, xs, 0.0)?, Scale::new("y", y.min, y.max, ys, 0.05)?))
}

/// What plotters' coordinate system asks of an axis.
impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        // Callers draw only what has a place; the low end stands in for what has none.
        let share = self.share(*value).unwrap_or(0.0);
        from + (f64::from(to - from) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        self.ticks(hint.max_num_points())
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(spread: Spread, min: Option<f64>, max: Option<f64>, data: &[f64], room: f64) -> Result<Scale, String> {
        let mut extent = Extent::of(spread);
        data.iter().for_each(|value| extent.include(*value));
        Scale::new("y", min, max, extent, room).map_err(|Refusal(message)| message)
    }

    fn ends(spread: Spread, min: Option<f64>, max: Option<f64>, data: &[f64], room: f64) -> (f64, f64) {
        let scale = scale(spread, min, max, data, room).expect("a range");
        (scale.low, scale.high)
    }

    #[test]
    fn shares_are_equal_differences_or_equal_ratios() {
        let linear = Scale { spread: Spread::Linear, low: -1.0, high: 3.0 };
        assert_eq!([-1.0, 0.0, 1.0, 3.0, 5.0].map(|value| linear.share(value)), [0.0, 0.25, 0.5, 1.0, 1.5].map(Some));
        let octaves = Scale { spread: Spread::Log2, low: 1.0, high: 4096.0 };
        assert_eq!([1.0, 64.0, 4096.0].map(|value| octaves.share(value)), [0.0, 0.5, 1.0].map(Some));
        assert_eq!([0.0, -1.0, f64::NAN, f64::INFINITY].map(|value| octaves.share(value)), [None; 4]);
        assert_eq!(linear.share(f64::NAN), None);
        assert!((octaves.value_at(0.5) - 64.0).abs() < 1e-9);
        assert_eq!(linear.value_at(0.75), 2.0);
    }

    #[test]
    fn plotters_maps_between_the_given_pixels() {
        let decades = Scale { spread: Spread::Log10, low: 1.0, high: 1000.0 };
        assert_eq!(decades.map(&1.0, (400, 100)), 400);
        assert_eq!(decades.map(&100.0, (400, 100)), 200);
        assert_eq!(decades.range(), 1.0..1000.0);
    }

    #[test]
    fn free_ends_follow_the_data_and_given_ones_are_kept() {
        assert_eq!(ends(Spread::Linear, None, None, &[2.0, f64::NAN, 6.0], 0.0), (2.0, 6.0));
        assert_eq!(ends(Spread::Linear, None, None, &[0.0, 10.0], 0.05), (-0.5, 10.5));
        assert_eq!(ends(Spread::Linear, Some(0.0), None, &[2.0, 20.0], 0.05), (0.0, 21.0));
        assert_eq!(ends(Spread::Linear, Some(0.0), Some(5.0), &[2.0, 20.0], 0.05), (0.0, 5.0));
        assert_eq!(ends(Spread::Log10, None, None, &[0.0, 1.0, 100.0], 0.0), (1.0, 100.0));
    }

    #[test]
    fn constants_and_emptiness_still_have_an_axis() {
        assert_eq!(ends(Spread::Linear, None, None, &[1.0], 0.05), (0.9, 1.1));
        assert_eq!(ends(Spread::Linear, None, None, &[0.0], 0.05), (-1.0, 1.0));
        assert_eq!(ends(Spread::Log10, None, None, &[10.0], 0.05), (1.0, 100.0));
        assert_eq!(ends(Spread::Linear, None, None, &[], 0.05), (-0.05, 1.05));
        assert_eq!(ends(Spread::Log2, None, None, &[f64::NAN], 0.0), (1.0, 10.0));
        assert_eq!(ends(Spread::Linear, Some(0.0), None, &[], 0.0), (0.0, 1.0));
        // All of the data below the one given end.
        let (low, high) = ends(Spread::Linear, Some(50.0), None, &[1.0, 2.0], 0.0);
        assert!(low == 50.0 && high > 50.0);
    }

    #[test]
    fn impossible_ends_are_refused() {
        assert_eq!(
            scale(Spread::Log10, Some(0.0), None, &[1.0], 0.0),
            Err("y.min: 0 was given; allowed: positive numbers".into())
        );
        assert_eq!(
            scale(Spread::Linear, None, Some(f64::NAN), &[1.0], 0.0),
            Err("y.max: NaN was given; allowed: finite numbers".into())
        );
        assert_eq!(
            scale(Spread::Linear, Some(2.0), Some(1.0), &[], 0.0),
            Err("y.max: 1 was given; allowed: numbers above min, 2".into())
        );
        assert!(scale(Spread::Linear, Some(-f64::MAX), Some(f64::MAX), &[], 0.0).is_err());
    }
}
