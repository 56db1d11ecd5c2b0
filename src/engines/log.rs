//! The lines about memory that engines print when they start: what reads figures from them, and what predicts them.

use crate::answer::LogFigure;
use crate::units::{GIB, MIB};

/// A figure of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// What it is.
    pub figure: LogFigure,
    /// Its value: bytes, tokens, requests, or a share.
    pub value: f64,
    /// What the last digit that was printed stands for.
    pub step: f64,
    /// The line it stands in, without blanks at its ends.
    pub line: String,
}

/// A figure of a log with the device that it is of; empty where the line names none.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The device.
    pub device: String,
    /// The figure.
    pub logged: Logged,
}

impl Stated {
    /// A number of `line` and what its last digit stands for, in units of `scale`.
    #[must_use]
    pub fn new(device: &str, figure: LogFigure, (value, step): (f64, f64), scale: Scale, line: &str) -> Stated {
        let unit = match scale {
            Scale::Gib => GIB,
            Scale::Mib => MIB,
            Scale::One => 1.0,
        };
        let logged = Logged { figure, value: value * unit, step: step * unit, line: line.trim().to_owned() };
        Stated { device: device.to_owned(), logged }
    }
}

/// In what a number of a line is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// GiB, also where the engine writes GB: all of them divide by 2^30.
    Gib,
    /// MiB.
    Mib,
    /// One by one.
    One,
}

/// A number of a line: it stands right behind `before`, in a line that has `within` too. Only the fixed words around a
/// number are known, each seen in public logs of the engine or in its code.
#[derive(Clone, Copy, Debug)]
pub struct Phrase {
    /// What else stands in the line, in front of `before`; empty where nothing has to.
    pub within: &'static str,
    /// What the number follows.
    pub before: &'static str,
    /// What the number is.
    pub figure: LogFigure,
    /// In what it is given.
    pub scale: Scale,
}

/// A number behind `before` in a line that has `within` too.
#[must_use]
pub const fn phrase(within: &'static str, before: &'static str, figure: LogFigure, scale: Scale) -> Phrase {
    Phrase { within, before, figure, scale }
}

/// How the log of an engine is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The phrases by which figures are recognised.
    pub phrases: &'static [Phrase],
    /// Reads what a line states in another form than such a phrase.
    pub line: Option<fn(&str, &mut Vec<Stated>)>,
    /// Reads from the whole text a figure that no line states by itself; it counts where none does.
    pub text: Option<fn(&str) -> Option<Stated>>,
    /// Figures of which a device states several that add up.
    pub adds_up: &'static [LogFigure],
    /// Figures of which the least over all ranks holds for each; of the others the most counts.
    pub least: &'static [LogFigure],
    /// Words of today's versions, for whoever pasted something else.
    pub looked_for: &'static [&'static str],
}

impl Reading {
    /// Nothing is known of its log.
    pub const UNKNOWN: Reading =
        Reading { phrases: &[], line: None, text: None, adds_up: &[], least: &[], looked_for: &[] };

    /// Hands every figure that `line` states to `stated`.
    pub fn read(&self, line: &str, stated: &mut Vec<Stated>) {
        for phrase in self.phrases {
            let Some(from) = line.find(phrase.within).map(|at| at + phrase.within.len()) else { continue };
            let Some((value, step, _)) = after(&line[from..], phrase.before) else { continue };
            stated.push(Stated::new("", phrase.figure, (value, step), phrase.scale, line));
        }
        if let Some(read) = self.line {
            read(line, stated);
        }
    }
}

/// The number right behind `words`, what its last digit stands for, and what follows it.
pub fn after<'a>(line: &'a str, words: &str) -> Option<(f64, f64, &'a str)> {
    number(line.split_once(words)?.1)
}

/// The number a text begins with. Digits may be in groups of three; more than fifteen are no figure of a log.
pub fn number(text: &str) -> Option<(f64, f64, &str)> {
    let text = text.trim_start();
    let (mut value, mut decimals, mut digits, mut end) = (0.0, None, 0, 0);
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        let digit_follows = bytes.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        match byte {
            b'0'..=b'9' => {
                value = value * 10.0 + f64::from(byte - b'0');
                digits += 1;
                decimals = decimals.map(|count: i32| count + 1);
            }
            b'.' if decimals.is_none() && digit_follows => decimals = Some(0),
            // Groups part only whole numbers.
            b',' if decimals.is_none() && digits > 0 && digit_follows => {}
            _ => break,
        }
        end = at + 1;
    }
    if digits == 0 || digits > 15 {
        return None;
    }
    let step = (0..decimals.unwrap_or(0)).fold(1.0, |step, _| step * 10.0);
    Some((value / step, 1.0 / step, &text[end..]))
}

/// A line that is expected and the figures it states, before they are rounded to what is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedLine {
    /// The line.
    pub text: String,
    /// What it states, each in bytes, tokens, requests or as a share.
    pub figures: Vec<(LogFigure, f64)>,
}

/// Writes the lines that an engine prints from the figures that are expected.
pub type Lines = fn(&Expected) -> Vec<PredictedLine>;

/// What is expected of one GPU.
pub struct Expected<'a> {
    /// Each figure; 0 where the engine has no such thing.
    pub figure: &'a dyn Fn(LogFigure) -> f64,
    /// Whether the cache holds the narrow rows of latent attention.
    pub latent: bool,
}

impl Expected<'_> {
    /// A figure.
    #[must_use]
    pub fn of(&self, figure: LogFigure) -> f64 {
        (self.figure)(figure)
    }

    /// A figure in GiB.
    #[must_use]
    pub fn gib(&self, figure: LogFigure, decimals: usize) -> String {
        format!("{:.decimals$}", self.of(figure) / GIB)
    }

    /// A figure in MiB.
    #[must_use]
    pub fn mib(&self, figure: LogFigure) -> String {
        format!("{:.2}", self.of(figure) / MIB)
    }

    /// A figure as a whole number.
    #[must_use]
    pub fn whole(&self, figure: LogFigure) -> String {
        format!("{:.0}", self.of(figure))
    }

    /// A line put together from `parts`, which states `figures`.
    #[must_use]
    pub fn line(&self, parts: &[&str], figures: &[LogFigure]) -> PredictedLine {
        PredictedLine { text: parts.concat(), figures: figures.iter().map(|one| (*one, self.of(*one))).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_logs_have_them() {
        assert_eq!(number("  14.9888 GiB"), Some((14.9888, 0.0001, " GiB")));
        assert_eq!(number("178,880 tokens"), Some((178_880.0, 1.0, " tokens")));
        assert_eq!(number("9798, # CPU blocks"), Some((9798.0, 1.0, ", # CPU blocks")));
        assert_eq!(number("1.57GiB."), Some((1.57, 0.01, "GiB.")));
        assert_eq!(number("23.35."), Some((23.35, 0.01, ".")));
        assert_eq!((number("GiB"), number(""), number("-1")), (None, None, None));
        assert_eq!(number("1234567890123456"), None);
    }
}
