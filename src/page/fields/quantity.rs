//! Numbers as people type them: `7b`, `70 B`, `8k`, `131072`, `1e9`, `1,000,000`, `70亿`.

use vram_ledger::scenario::Quantity;
use vram_ledger::text;
use vram_ledger::words::Text;

use crate::page::typed_number::number;

/// What may be typed, with examples.
pub fn example(quantity: Quantity) -> Text {
    match quantity {
        Quantity::Parameters => text!(refusals::EXAMPLE_PARAMETERS),
        Quantity::Tokens => text!(refusals::EXAMPLE_TOKENS),
        Quantity::Count => text!(refusals::EXAMPLE_COUNT),
        Quantity::Share => text!(refusals::EXAMPLE_SHARE),
        Quantity::Factor => text!(refusals::EXAMPLE_FACTOR),
        Quantity::Bytes => text!(refusals::EXAMPLE_BYTES),
    }
}

/// Reads a number; `None` where the text is none. Its range is the ledger's business, not this function's.
pub fn parse(text: &str, quantity: Quantity) -> Option<f64> {
    let text: String = text.trim().chars().map(half_width).collect::<String>().to_ascii_lowercase();
    let digits_end = text.find(|c: char| !is_number_part(c)).unwrap_or(text.len());
    // "1e9" has its exponent inside the number, and nothing else that starts with e is a suffix.
    let (number, suffix) = text.split_at(digits_end);
    let number = ungrouped(number.trim())?;
    let (power, factor) = match (quantity, suffix.trim()) {
        (_, "") => (0, 1.0),
        (Quantity::Parameters, "k") => (3, 1.0),
        (Quantity::Parameters, "m") => (6, 1.0),
        (Quantity::Parameters, "b" | "g") => (9, 1.0),
        (Quantity::Parameters, "t") => (12, 1.0),
        (Quantity::Parameters | Quantity::Tokens, "万") => (4, 1.0),
        (Quantity::Parameters | Quantity::Tokens, "亿") => (8, 1.0),
        (Quantity::Bytes, suffix) => {
            let (prefix, binary) =
                suffix.strip_suffix("ib").map_or((suffix.trim_end_matches('b'), false), |rest| (rest, true));
            let thousands = ["", "k", "m", "g", "t"].iter().position(|known| *known == prefix)? as i32;
            if binary { (0, (0..thousands).fold(1.0, |factor, _| factor * 1024.0)) } else { (3 * thousands, 1.0) }
        }
        (Quantity::Tokens, "k") => (0, 1024.0),
        (Quantity::Tokens, "m") => (0, 1_048_576.0),
        _ => return None,
    };
    if !suffix.is_empty() && number.contains('e') {
        return None;
    }
    Some(scaled(&number, power)? * factor)
}

/// A decimal number × 10^`power`, the nearest there is: 7.1b is 7,100,000,000 and not 7.1 × 10^9 rounded twice.
fn scaled(text: &str, power: i32) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let power = power + i32::from(exponent.parse::<i16>().ok()?);
    number(&format!("{mantissa}e{power}")).filter(|value| value.is_finite())
}

fn is_number_part(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | ',' | 'e' | '+' | '-' | '_' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

/// Full-width digits and signs, as an input method may produce them, in their common width.
fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        other => other,
    }
}

/// A number without its separators, where those part groups of three; `7,5` is refused rather than guessed at.
fn ungrouped(text: &str) -> Option<String> {
    let separator = |c: char| !(c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-'));
    if !text.contains(separator) {
        return Some(text.to_owned());
    }
    let (whole, rest) = text.split_at(text.find(['.', 'e']).unwrap_or(text.len()));
    let mut groups = whole.split(separator);
    let first = groups.next()?;
    let well_formed = matches!(first.len(), 1..=3) && groups.all(|group| group.len() == 3) && !rest.contains(separator);
    well_formed.then(|| text.chars().filter(|c| !separator(*c)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type() {
        use Quantity::{Bytes, Count, Parameters, Share, Tokens};
        for (text, quantity, value) in [
            ("7b", Parameters, 7e9),
            ("70 B", Parameters, 70e9),
            ("7.1b", Parameters, 7_100_000_000.0),
            ("8.030261248 B", Parameters, 8_030_261_248.0),
            ("0.3", Share, 0.3),
            ("-2", Count, -2.0),
            ("1e-3", Share, 1e-3),
            ("124M", Parameters, 124e6),
            ("1.8t", Parameters, 1.8e12),
            ("1e9", Parameters, 1e9),
            ("1E+9", Parameters, 1e9),
            ("1,000,000", Parameters, 1e6),
            ("6 738 415 616", Parameters, 6_738_415_616.0),
            ("70亿", Parameters, 7e9),
            ("７ｂ", Parameters, 7e9),
            ("8k", Tokens, 8192.0),
            ("128K", Tokens, 131_072.0),
            ("131072", Tokens, 131_072.0),
            ("1m", Tokens, 1_048_576.0),
            ("1.5k", Tokens, 1536.0),
            ("64", Count, 64.0),
            ("0.1", Share, 0.1),
            (".5", Share, 0.5),
            ("8 GiB", Bytes, 8_589_934_592.0),
            ("8GB", Bytes, 8e9),
            ("512 MiB", Bytes, 536_870_912.0),
            ("1.5g", Bytes, 1.5e9),
            ("8,589,934,592", Bytes, 8_589_934_592.0),
            ("100 B", Bytes, 100.0),
        ] {
            assert_eq!(parse(text, quantity), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_number() {
        use Quantity::{Bytes, Count, Parameters, Tokens};
        for (text, quantity) in [
            ("", Parameters),
            ("b", Parameters),
            ("seven", Parameters),
            ("7,5", Parameters),
            ("1,00,000", Parameters),
            ("7bb", Parameters),
            (".", Parameters),
            ("1e", Parameters),
            ("1.2.3", Parameters),
            ("1e9b", Parameters),
            ("1e400", Parameters),
            ("nan", Parameters),
            ("inf", Parameters),
            ("8b", Tokens),
            ("8k", Count),
            ("--8", Count),
            ("8 GiBs", Bytes),
            ("8 xb", Bytes),
        ] {
            assert_eq!(parse(text, quantity), None, "{text}");
        }
    }
}
