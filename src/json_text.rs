//! JSON values as text.
//!
//! What serde_json writes, but for its numbers: those are written by the standard library, which is compiled in anyway,
//! and not by serde_json's own fast writer, whose tables alone are as large as half of a user interface.

use std::fmt::Write;

use serde_json::{Number, Value};

/// A value without any white space.
#[must_use]
pub fn compact(value: &Value) -> String {
    let mut text = String::new();
    write(value, None, &mut text);
    text
}

/// A value with a line for each member, two spaces deeper for each level.
#[must_use]
pub fn pretty(value: &Value) -> String {
    let mut text = String::new();
    write(value, Some(0), &mut text);
    text
}

/// `level` is how deep the value stands, where lines are wanted.
fn write(value: &Value, level: Option<usize>, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => write_all(b"[]", items.iter().map(|item| (None, item)), level, out),
        Value::Object(map) => write_all(b"{}", map.iter().map(|(key, value)| (Some(key), value)), level, out),
    }
}

fn write_all<'a>(
    brackets: &[u8; 2],
    members: impl ExactSizeIterator<Item = (Option<&'a String>, &'a Value)>,
    level: Option<usize>,
    out: &mut String,
) {
    let empty = members.len() == 0;
    let inner = level.map(|level| level + 1);
    out.push(brackets[0].into());
    for (index, (key, value)) in members.enumerate() {
        if index > 0 {
            out.push(',');
        }
        new_line(inner, out);
        if let Some(key) = key {
            write_string(key, out);
            out.push_str(if level.is_some() { ": " } else { ":" });
        }
        write(value, inner, out);
    }
    if !empty {
        new_line(level, out);
    }
    out.push(brackets[1].into());
}

fn new_line(level: Option<usize>, out: &mut String) {
    if let Some(level) = level {
        out.push('\n');
        (0..level).for_each(|_| out.push_str("  "));
    }
}

/// A number in the fewest digits that read back as the same number.
fn write_number(number: &Number, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(whole), ..) => write!(out, "{whole}"),
        (_, Some(whole), _) => write!(out, "{whole}"),
        (.., Some(real)) => match real.abs() {
            // Otherwise written as an integer, it would read back as one.
            size if size < 1e16 && real.fract() == 0.0 => write!(out, "{real}.0"),
            size if (1e-5..1e16).contains(&size) => write!(out, "{real}"),
            _ => write!(out, "{real:e}"),
        },
        _ => Ok(()),
    };
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_reads_back_as_the_same_value() {
        let value = json!({
            "a": [1, -2, 0.1, 1e300, 5e-324, 7e9, true, null, [], {}],
            "b\"\\\n\u{1}": {"显存": "\t\r…"},
            "largest": u64::MAX, "least": i64::MIN, "small": -1.5e-7, "large": 1e16, "zero": 0.0, "digits": 0.300_000_000_000_000_04
        });
        for text in [compact(&value), pretty(&value)] {
            assert_eq!(serde_json::from_str::<Value>(&text).ok().as_ref(), Some(&value), "{text}");
        }
    }

    #[test]
    fn laid_out_as_serde_json_does() {
        let value = json!({"a": [1, {"b": []}], "c": {}, "d": "e"});
        assert_eq!(compact(&value), value.to_string());
        assert_eq!(pretty(&value), serde_json::to_string_pretty(&value).expect("a value can be written"));
    }
}
