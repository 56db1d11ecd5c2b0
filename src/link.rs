//! The question as a link: `#cluster.gpus=8&model=llama-3.1-8b&training.sharding=zero3`.
//!
//! A link holds the dotted paths of the scenario's JSON and nothing that was not given, so it stays short, and a path
//! means there what it means in an error. A leaf is written as plain text and as JSON where plain text would be read
//! as something else: `training.zeropp=["quantized_weights"]`, `model.model_type="8"`.
//!
//! What is typed into a link is anybody's: everything is checked, and nothing but an error comes of what is not a link.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::refusal::{FieldError, LinkProblem, Problem};
use crate::scenario::Scenario;

/// Paths longer than this are no scenario's; a deeper tree would only be a burden to walk.
const DEEPEST: usize = 16;

/// Writes a scenario as the part of a link behind `#`. The same scenario always gives the same text.
#[must_use]
pub fn encode(scenario: &Scenario) -> String {
    encode_value(&scenario.to_value())
}

/// Reads a scenario from the part of a link behind `#`; a leading `#` is passed over. An empty text is `{}`.
///
/// # Errors
/// Names the path (or says that the text as a whole is no link), what was given and what is allowed.
pub fn decode(text: &str) -> Result<Scenario, FieldError> {
    Scenario::from_value(&decode_value(text)?)
}

/// Writes any JSON object as paths and leaves.
#[must_use]
pub fn encode_value(value: &Value) -> String {
    let mut text = String::new();
    flatten(value, None, &mut text);
    text
}

/// Reads a JSON object from paths and leaves.
///
/// # Errors
/// A path that is given twice, or is both a value and a group; text that is not percent-encoded UTF-8.
pub fn decode_value(text: &str) -> Result<Value, FieldError> {
    let text = text.strip_prefix('#').unwrap_or(text);
    let mut root = Map::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        if pair == EMPTY_OBJECT {
            continue;
        }
        let Some((path, leaf)) = pair.split_once('=') else {
            return Err(refuse(&percent_decode(pair)?, LinkProblem::NotPairs));
        };
        let value = leaf_value(percent_decode(leaf)?);
        insert(&mut root, path, value)?;
    }
    Ok(Value::Object(root))
}

/// `{}` where nothing at all was given, so that a link to it differs from no link.
const EMPTY_OBJECT: &str = "%7B%7D";

fn flatten(value: &Value, path: Option<&str>, out: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                let mut inner = path.map_or_else(String::new, |path| format!("{path}."));
                percent_encode(key, is_plain_in_key, &mut inner);
                flatten(value, Some(&inner), out);
            }
        }
        leaf => {
            if !out.is_empty() {
                out.push('&');
            }
            if let Some(path) = path {
                out.push_str(path);
                out.push('=');
            }
            percent_encode(&leaf_text(leaf), is_plain_in_value, out);
        }
    }
}

fn insert(root: &mut Map<String, Value>, path: &str, value: Value) -> Result<(), FieldError> {
    let keys = path.split('.').map(percent_decode).collect::<Result<Vec<_>, _>>()?;
    let shown = || keys.join(".");
    if keys.len() > DEEPEST {
        return Err(refuse(&shown(), LinkProblem::TooDeep));
    }
    let (last, parents) = keys.split_last().expect("split answers at least one part");
    let mut map = root;
    for key in parents {
        map = match map.entry(key.clone()).or_insert_with(|| Value::Object(Map::new())) {
            Value::Object(inner) => inner,
            _ => return Err(refuse(&shown(), LinkProblem::ValueAndParts)),
        };
    }
    if map.contains_key(last) {
        return Err(refuse(&shown(), LinkProblem::Twice));
    }
    map.insert(last.clone(), value);
    Ok(())
}

/// A leaf as text: a string as it is, unless it would be read as another value.
fn leaf_text(leaf: &Value) -> String {
    match leaf {
        Value::String(text) if matches!(leaf_value(text.clone()), Value::String(read) if read == *text) => text.clone(),
        other => other.to_string(),
    }
}

/// What a leaf's text means: JSON where it is JSON, else a string.
fn leaf_value(text: String) -> Value {
    let may_be_json = matches!(text.as_bytes().first(), Some(b'-' | b'0'..=b'9' | b'[' | b'{' | b'"'))
        || matches!(text.as_str(), "true" | "false" | "null");
    match serde_json::from_str(&text) {
        Ok(value) if may_be_json => value,
        _ => Value::String(text),
    }
}

/// Bytes that stand for themselves in a key.
fn is_plain_in_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~')
}

/// Bytes that stand for themselves in a value: those of a key and those that every mail program leaves alone.
fn is_plain_in_value(byte: u8) -> bool {
    is_plain_in_key(byte) || matches!(byte, b'.' | b',' | b':' | b'/' | b'@' | b'!' | b'*' | b'$' | b'+')
}

/// Escapes all bytes but the plain ones.
pub fn percent_encode(text: &str, plain: fn(u8) -> bool, out: &mut String) {
    for byte in text.bytes() {
        if plain(byte) {
            out.push(byte.into());
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// Undoes percent-encoding.
///
/// # Errors
/// A `%` without two hexadecimal digits, or bytes that are not UTF-8.
pub fn percent_decode(text: &str) -> Result<String, FieldError> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        if byte == b'%' {
            let (Some(high), Some(low)) = (digit(bytes.get(index + 1)), digit(bytes.get(index + 2))) else {
                return Err(refuse(text, LinkProblem::Percent));
            };
            decoded.push((high * 16 + low) as u8);
            index += 3;
        } else {
            decoded.push(byte);
            index += 1;
        }
    }
    String::from_utf8(decoded).map_err(|_| refuse(text, LinkProblem::NotUtf8))
}

fn refuse(path: &str, why: LinkProblem) -> FieldError {
    // Long enough to be recognised, short enough to be shown.
    let path: String = path.chars().take(80).collect();
    FieldError::new(path, Problem::Link(why))
}
