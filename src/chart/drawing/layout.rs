//! Where text goes so that it does not collide. All lengths in units.

use super::scale::Scale;
use crate::chart::{Axis, Refusal};

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
    /// When a text cannot be measured.
    pub fn ticks(
        &self,
        axis: &Axis,
        scale: &Scale,
        mut extent: impl FnMut(&str) -> Result<i32, Refusal>,
    ) -> Result<Vec<Tick>, Refusal> {
        let mut tried = usize::MAX;
        for count in (1..=self.most.max(1)).rev() {
            let values = scale.ticks(count);
            // Several counts often lead to the same ticks: measure them once.
            if values.len() == tried {
                continue;
            }
            tried = values.len();
            let mut ticks = Vec::with_capacity(values.len());
            for value in values {
                let Some(share) = scale.share(value) else { continue };
                let text = (axis.write)(value);
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
    use super::*;
    use crate::chart::Spread;

    fn axis() -> Axis {
        let write = |value: f64| value.to_string();
        Axis { spread: Spread::Log2, label: String::new(), min: None, max: None, write }
    }

    const SHARDS: Scale = Scale { spread: Spread::Log2, low: 1.0, high: 4096.0 };

    fn texts(width: i32) -> Vec<String> {
        let ruler = Ruler { ends: (0, width), bounds: (0, width), gap: 10, most: 20 };
        let ticks = ruler.ticks(&axis(), &SHARDS, |text| Ok(10 * text.len() as i32)).expect("measured");
        assert!(ticks.windows(2).all(|pair| pair[0].end + 10 <= pair[1].begin));
        assert!(ticks.iter().all(|tick| 0 <= tick.begin && tick.end <= width));
        ticks.into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn ticks_thin_out_as_the_axis_gets_shorter() {
        // Side by side, thirteen texts with their gaps would be 440 long, but they do not share the axis evenly.
        assert_eq!(texts(900).len(), 13);
        assert_eq!(texts(440), ["1", "4", "16", "64", "256", "1024", "4096"]);
        assert_eq!(texts(200), ["1", "16", "256", "4096"]);
        assert_eq!(texts(30), ["1"]);
    }

    #[test]
    fn an_axis_that_rises_against_the_coordinates_answers_from_its_top() {
        let ruler = Ruler { ends: (300, 0), bounds: (-6, 306), gap: 4, most: 4 };
        let ticks = ruler.ticks(&axis(), &SHARDS, |_| Ok(12)).expect("measured");
        assert_eq!(ticks.first().map(|tick| (tick.at, tick.text.as_str())), Some((0, "4096")));
        assert_eq!(ticks.last().map(|tick| (tick.at, tick.text.as_str())), Some((300, "1")));
    }

    #[test]
    fn a_text_that_cannot_be_measured_is_passed_on() {
        let ruler = Ruler { ends: (0, 100), bounds: (0, 100), gap: 4, most: 4 };
        assert_eq!(ruler.ticks(&axis(), &SHARDS, |_| Err(Refusal("no".into()))), Err(Refusal("no".into())));
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
