//! Reading a number of a typed text: by the browser, which has a reader of its own, so that the first load does without
//! the standard library's and its tables of powers of five. Both give the nearest number there is.

/// The number that a text is, with a decimal point and an exponent; none where it is none.
#[cfg(target_arch = "wasm32")]
pub fn number(text: &str) -> Option<f64> {
    // An empty text is 0 to the browser, and the mantissa of one would be empty.
    let digits = text.bytes().any(|byte| byte.is_ascii_digit()) && !text.starts_with(['e', 'E']);
    let number = wasm_bindgen::JsValue::from_str(text).unchecked_into_f64();
    (digits && !number.is_nan()).then_some(number)
}

/// Rendered to text, a page has no browser to ask.
#[cfg(not(target_arch = "wasm32"))]
pub fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}
