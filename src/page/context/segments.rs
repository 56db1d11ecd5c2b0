//! A stacked bar as numbers: which segment lies where on the scale, and where its label goes.

use vram_ledger::ledger::{Account, Accounts};
use vram_ledger::units::Bytes;

/// One account on a bar, in shares of the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The account.
    pub account: Account,
    /// Its bytes.
    pub bytes: Bytes,
    /// Where it begins.
    pub start: f64,
    /// How long it is.
    pub length: f64,
}

/// The accounts that hold anything, one after the other.
pub fn segments(accounts: &Accounts, scale: Bytes) -> Vec<Segment> {
    let mut start = 0.0;
    accounts
        .iter()
        .filter(|(_, bytes)| *bytes > Bytes::ZERO)
        .map(|(account, bytes)| {
            let length = bytes.get() / scale.get();
            let segment = Segment { account, bytes, start, length };
            start += length;
            segment
        })
        .collect()
}

/// The end of the scale: the next round number of `unit` bytes, so that the scale stays put while a slider moves a
/// little.
pub fn scale(largest: Bytes, unit: f64) -> Bytes {
    const ROUND: [f64; 11] = [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let value = largest.get() / unit;
    if value <= 0.0 {
        return Bytes::whole(unit);
    }
    let mut decade = 1.0;
    while decade * 10.0 <= value {
        decade *= 10.0;
    }
    while decade > value {
        decade /= 10.0;
    }
    let end = ROUND.iter().map(|round| round * decade).find(|end| *end >= value).unwrap_or(10.0 * decade);
    Bytes::whole(end * unit)
}

/// Where the labels of a bar go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// Segments that hold their own label.
    pub inside: Vec<usize>,
    /// Segments whose labels stand to the right of the bar, one under the other.
    pub beside: Vec<usize>,
    /// Segments whose labels have to stand under the bar.
    pub below: Vec<usize>,
}

/// Room around a label.
pub const PADDING: f64 = 6.0;
/// Lines of text that a bar is high.
const LINES: usize = 2;

/// Places labels on a bar that is `width` pixels wide, so that none is cut off and none crosses the `capacity` line
/// (a share of the scale).
pub fn place_labels(segments: &[Segment], labels: &[String], width: f64, capacity: Option<f64>) -> Labels {
    let mut placed = Labels::default();
    let mut narrow = Vec::new();
    for (index, (segment, label)) in segments.iter().zip(labels).enumerate() {
        let fits = text_width(label) + 2.0 * PADDING <= segment.length * width;
        if fits { placed.inside.push(index) } else { narrow.push(index) }
    }
    let end = segments.last().map_or(0.0, |last| last.start + last.length) * width;
    let right = capacity.map(|share| share * width).filter(|line| *line > end).unwrap_or(width);
    // The last segments are nearest to the space beside the bar, so they are served first.
    for index in narrow.into_iter().rev() {
        let room = text_width(&labels[index]) + 2.0 * PADDING <= right - end;
        // One that went below keeps those before it from standing beside the bar: they would be out of order.
        let beside = room && placed.below.is_empty() && placed.beside.len() < LINES;
        if beside { &mut placed.beside } else { &mut placed.below }.insert(0, index);
    }
    placed
}

/// About how wide a text of 12 pixels is: a Chinese character is as wide as it is high, a Latin one about half of that.
pub fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if c.is_ascii() { 6.5 } else { 12.2 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accounts(pairs: &[(Account, f64)]) -> Accounts {
        let mut accounts = Accounts::default();
        for (account, bytes) in pairs {
            accounts[*account] = Bytes::whole(*bytes);
        }
        accounts
    }

    #[test]
    fn segments_follow_each_other_and_leave_out_what_is_empty() {
        let held = accounts(&[(Account::Weights, 14e9), (Account::Gradients, 14e9), (Account::Loss, 2e9)]);
        let bar = segments(&held, Bytes::whole(100e9));
        assert_eq!(
            bar.iter().map(|segment| segment.account).collect::<Vec<_>>(),
            [Account::Weights, Account::Gradients, Account::Loss]
        );
        assert!((bar[2].start - 0.28).abs() < 1e-12 && (bar[2].length - 0.02).abs() < 1e-12);
    }

    #[test]
    fn the_scale_ends_at_a_round_number() {
        let end = |value: f64| scale(Bytes::whole(value), 1e9).gigabytes();
        assert_eq!(
            [end(129.4e9), end(84.9e9), end(100e9), end(16_000e9), end(0.0)],
            [150.0, 100.0, 100.0, 20_000.0, 1.0]
        );
    }

    #[test]
    fn every_label_has_a_place() {
        let held = accounts(&[(Account::Weights, 14e9), (Account::KvCache, 0.5e9), (Account::Workspace, 0.2e9)]);
        let bar = segments(&held, Bytes::whole(150e9));
        let labels: Vec<String> = ["weights 14.0", "cache 0.50", "workspace 0.20"].map(String::from).into();
        let wide = place_labels(&bar, &labels, 1150.0, Some(0.57));
        assert_eq!((wide.inside, wide.beside), (vec![0], vec![1, 2]));
        // With the line of capacity right behind the bar there is no room beside it.
        assert_eq!(place_labels(&bar, &labels, 1150.0, Some(0.12)).below, [1, 2]);
        // On a phone nothing fits inside.
        let phone = place_labels(&bar, &labels, 300.0, None);
        assert_eq!(phone.inside.len() + phone.beside.len() + phone.below.len(), 3);
    }
}
