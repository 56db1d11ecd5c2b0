//! Where text goes so that it does not collide. All lengths in units.

use super::chart::{Axis, Refusal};
use super::scale::Scale;

/// A rectangle with its top left and bottom right corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Rect {
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    pub fn contains(&self, other: &Rect) -> bool {
        self.left <= other.left && other.right <= self.right && self.top <= other.top && other.bottom <= self.bottom
    }

    /// How far `other` must move to lie inside. What is too large starts at the left or top edge.
    pub fn pull_in(&self, other: Rect) -> Rect {
        let right = (self.right - other.right).min(0);
        let down = (self.bottom - other.bottom).min(0);
        let moved = other.moved(right, down);
        moved.moved((self.left - moved.left).max(0), (self.top - moved.top).max(0))
    }

    fn moved(self, x: i32, y: i32) -> Rect {
        Rect { left: self.left + x, top: self.top + y, right: self.right + x, bottom: self.bottom + y }
    }
}

/// A tick: where its line is, and where along the axis its text begins and ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    pub at: i32,
    pub text: String,
    pub begin: i32,
    pub end: i32,
}

/// An axis laid out from one end to the other, with what its texts need.
pub struct Ruler {
    /// Where the low and the high value are; the first is the larger where an axis rises against the coordinates.
    pub ends: (i32, i32),
    /// Where texts may begin and end.
    pub bounds: (i32, i32),
    /// Least distance between two texts.
    pub gap: i32,
    /// Most ticks to try.
    pub most: usize,
}

impl Ruler {
    /// As many ticks as can stand side by side without their texts touching.
    ///
    /// `extent` measures a text along the axis.
    ///
    /// # Errors
    /// When the page's function for a tick's text fails.
    pub fn ticks(
        &self,
        axis: &Axis,
        scale: &Scale,
        mut extent: impl FnMut(&str) -> Result<i32, Refusal>,
    ) -> Result<Vec<Tick>, Refusal> {
        let mut tried = usize::MAX;
        for count in (1..=self.most.max(1)).rev() {
            let values = match &axis.ticks {
                Some(given) => thinned(given, scale, count),
                None => scale.ticks(count),
            };
            // Several counts often lead to the same ticks: measure them once.
            if values.len() == tried {
                continue;
            }
            tried = values.len();
            let mut ticks = Vec::with_capacity(values.len());
            for value in values {
                let Some(share) = scale.share(value) else { continue };
                let text = (axis.format)(value)?;
                let at = self.ends.0 + (f64::from(self.ends.1 - self.ends.0) * share).round() as i32;
                let size = extent(&text)?;
                let begin = (at - size / 2).min(self.bounds.1 - size).max(self.bounds.0);
                let place = ticks.partition_point(|tick: &Tick| tick.begin < begin);
                ticks.insert(place, Tick { at, text, begin, end: begin + size });
            }
            if ticks.windows(2).all(|pair| pair[0].end + self.gap <= pair[1].begin) {
                return Ok(ticks);
            }
        }
        Ok(Vec::new())
    }
}

/// Of the given ticks those on the axis, and of these every second, third … so that at most `count` remain.
fn thinned(given: &[f64], scale: &Scale, count: usize) -> Vec<f64> {
    let inside = |value: &f64| scale.share(*value).is_some_and(|share| (-1e-9..=1.0 + 1e-9).contains(&share));
    let on_axis: Vec<f64> = given.iter().copied().filter(inside).collect();
    let stride = on_axis.len().div_ceil(count).max(1);
    on_axis.into_iter().step_by(stride).collect()
}

/// Puts boxes of these widths in rows from `start` on, the next row where one would pass `end`. Answers each box's
/// row and left edge.
pub fn rows(widths: &[i32], start: i32, end: i32, gap: i32) -> Vec<(i32, i32)> {
    let (mut row, mut left) = (0, start);
    widths
        .iter()
        .map(|width| {
            if left > start && left + width > end {
                (row, left) = (row + 1, start);
            }
            let place = (row, left);
            left += width + gap;
            place
        })
        .collect()
}

/// Places for a label of this size around a point, the most usual first.
pub fn beside_point((x, y): (i32, i32), (width, height): (i32, i32), distance: i32) -> [Rect; 8] {
    let (above, below) = (y - distance - height, y + distance);
    let (left, right) = (x - distance - width, x + distance);
    let (centre, middle) = (x - width / 2, y - height / 2);
    [
        (right, above),
        (left, above),
        (right, below),
        (left, below),
        (centre, above),
        (centre, below),
        (right, middle),
        (left, middle),
    ]
    .map(|(left, top)| Rect { left, top, right: left + width, bottom: top + height })
}

/// Places for a label of this size at the ends of a horizontal line across the plot.
pub fn beside_line(y: i32, (width, height): (i32, i32), distance: i32, plot: &Rect) -> [Rect; 4] {
    let (above, below) = (y - distance - height, y + distance);
    let right = plot.right - width;
    [(right, above), (right, below), (plot.left, above), (plot.left, below)].map(|(left, top)| Rect {
        left,
        top,
        right: left + width,
        bottom: top + height,
    })
}

/// The place inside `bounds` with the least `cost`, among equals the first. Where none is inside, the first, pulled in.
pub fn best(places: &[Rect], bounds: &Rect, cost: impl Fn(&Rect) -> usize) -> Rect {
    let inside = places.iter().filter(|place| bounds.contains(place));
    inside.min_by_key(|place| cost(place)).copied().unwrap_or_else(|| bounds.pull_in(places[0]))
}

#[cfg(test)]
mod tests {
    use super::super::scale::Kind;
    use super::*;

    fn axis(ticks: Option<Vec<f64>>) -> Axis {
        let format = Box::new(|value: f64| Ok(value.to_string()));
        Axis { kind: Kind::Log2, label: String::new(), min: None, max: None, ticks, format }
    }

    const SHARDS: Scale = Scale { kind: Kind::Log2, low: 1.0, high: 4096.0 };

    fn texts(width: i32, ticks: Option<Vec<f64>>) -> Vec<String> {
        let ruler = Ruler { ends: (0, width), bounds: (0, width), gap: 10, most: 20 };
        let ticks = ruler.ticks(&axis(ticks), &SHARDS, |text| Ok(10 * text.len() as i32)).expect("formats");
        assert!(ticks.windows(2).all(|pair| pair[0].end + 10 <= pair[1].begin));
        assert!(ticks.iter().all(|tick| 0 <= tick.begin && tick.end <= width));
        ticks.into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn ticks_thin_out_as_the_axis_gets_shorter() {
        // Side by side, thirteen texts with their gaps would be 440 long, but they do not share the axis evenly.
        assert_eq!(texts(900, None).len(), 13);
        assert_eq!(texts(440, None), ["1", "4", "16", "64", "256", "1024", "4096"]);
        assert_eq!(texts(200, None), ["1", "16", "256", "4096"]);
        assert_eq!(
            texts(30, None),
            [""; 0].map(String::from).to_vec().into_iter().chain(["1".into()]).collect::<Vec<_>>()
        );
    }

    #[test]
    fn given_ticks_are_kept_to_and_thinned() {
        let given = vec![0.5, 1.0, 8.0, 64.0, 4096.0, 8192.0];
        assert_eq!(texts(800, Some(given.clone())), ["1", "8", "64", "4096"]);
        assert_eq!(texts(80, Some(given)), ["1", "64"]);
    }

    #[test]
    fn an_axis_that_rises_against_the_coordinates_answers_from_its_top() {
        let ruler = Ruler { ends: (300, 0), bounds: (-6, 306), gap: 4, most: 4 };
        let ticks = ruler.ticks(&axis(None), &SHARDS, |_| Ok(12)).expect("formats");
        assert_eq!(ticks.first().map(|tick| (tick.at, tick.text.as_str())), Some((0, "4096")));
        assert_eq!(ticks.last().map(|tick| (tick.at, tick.text.as_str())), Some((300, "1")));
    }

    #[test]
    fn a_tick_that_cannot_be_written_is_passed_on() {
        let failing = Axis { format: Box::new(|_| Err(Refusal("no".into()))), ..axis(None) };
        let ruler = Ruler { ends: (0, 100), bounds: (0, 100), gap: 4, most: 4 };
        assert_eq!(ruler.ticks(&failing, &SHARDS, |_| Ok(1)), Err(Refusal("no".into())));
    }

    #[test]
    fn rows_break_where_the_next_would_not_fit() {
        assert_eq!(rows(&[40, 40, 40], 0, 100, 10), [(0, 0), (0, 50), (1, 0)]);
        assert_eq!(rows(&[400, 40], 0, 100, 10), [(0, 0), (1, 0)]);
        assert_eq!(rows(&[], 0, 100, 10), []);
    }

    #[test]
    fn labels_keep_clear_of_each_other_and_of_the_edges() {
        let bounds = Rect { left: 0, top: 0, right: 200, bottom: 100 };
        let beside = |point, size, cost: &dyn Fn(&Rect) -> usize| best(&beside_point(point, size, 4), &bounds, cost);
        let first = beside((100, 50), (40, 12), &|_| 0);
        assert_eq!(first, Rect { left: 104, top: 34, right: 144, bottom: 46 });
        let second = beside((102, 50), (40, 12), &|place| usize::from(place.overlaps(&first)));
        assert!(!second.overlaps(&first) && bounds.contains(&second));
        let corner = beside((199, 1), (40, 12), &|_| 0);
        assert_eq!(corner, Rect { left: 155, top: 5, right: 195, bottom: 17 });
        // Too large to fit anywhere: it starts where the bounds do.
        let large = beside((199, 1), (400, 12), &|_| 0);
        assert_eq!((large.left, large.top), (0, 0));
        let low = best(&beside_line(95, (40, 12), 2, &bounds), &bounds, |_| 0);
        assert_eq!(low, Rect { left: 160, top: 81, right: 200, bottom: 93 });
    }
}
