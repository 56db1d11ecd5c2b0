//! The size, the colours and the type a chart is drawn with.

use crate::chart::{Refusal, Tint};

/// Units of drawing in one device pixel.
///
/// plotters has whole coordinates and whole stroke widths only. In device pixels a shallow curve would climb in
/// visible steps and a stroke of 1.5 pixels could not be had.
pub const UNITS_PER_PIXEL: f64 = 8.0;

/// The widest canvas browsers agree on, in device pixels.
const MAX_PIXELS: f64 = 16_384.0;

/// How a chart looks where it is drawn.
pub struct Look {
    /// Width in CSS pixels.
    pub width: f64,
    /// Height in CSS pixels.
    pub height: f64,
    /// Device pixels in a CSS pixel.
    pub ratio: f64,
    /// The colours, in the order of [`Tint::ALL`].
    pub colours: [Colour; Tint::ALL.len()],
    /// A CSS font family list.
    pub font: String,
    /// Size of all text in CSS pixels.
    pub font_size: f64,
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour {
    /// 0 to 255.
    pub red: u8,
    /// 0 to 255.
    pub green: u8,
    /// 0 to 255.
    pub blue: u8,
    /// 0 is clear, 1 is opaque. Where the paper is clear, the plates behind labels are too.
    pub opacity: f64,
}

impl Colour {
    /// A colour as canvases write them: `#rrggbb`, or `rgba(r, g, b, a)` where it is not opaque.
    #[must_use]
    pub fn from_css(css: &str) -> Option<Colour> {
        if let Some(digits) = css.strip_prefix('#') {
            let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
            let [_, red, green, blue] = value.to_be_bytes();
            return Some(Colour { red, green, blue, opacity: 1.0 });
        }
        let mut parts = css.strip_prefix("rgba(")?.strip_suffix(')')?.split(',').map(str::trim);
        let mut channel = || parts.next()?.parse::<u8>().ok();
        let (red, green, blue) = (channel()?, channel()?, channel()?);
        let opacity = parts.next()?.parse().ok().filter(|opacity| (0.0..=1.0).contains(opacity))?;
        Some(Colour { red, green, blue, opacity })
    }
}

impl Look {
    /// Size of the canvas in device pixels.
    pub fn pixels(&self) -> (u32, u32) {
        ((self.width * self.ratio).round() as u32, (self.height * self.ratio).round() as u32)
    }

    /// A length in CSS pixels as units.
    pub fn units(&self, css: f64) -> i32 {
        (css * self.ratio * UNITS_PER_PIXEL).round() as i32
    }

    /// A stroke in CSS pixels as whole device pixels, at least one, in units. For lines along the pixel grid.
    pub fn crisp_stroke(&self, css: f64) -> i32 {
        ((css * self.ratio).round().max(1.0) * UNITS_PER_PIXEL) as i32
    }

    /// A colour.
    pub fn colour(&self, tint: Tint) -> Colour {
        self.colours[tint as usize]
    }

    /// What can be refused before anything is measured or drawn.
    ///
    /// # Errors
    /// Names the first field that no chart can be drawn with.
    pub fn check(&self) -> Result<(), Refusal> {
        if !(self.ratio > 0.0 && self.ratio.is_finite()) {
            return Err(Refusal::new("ratio", self.ratio, "positive numbers"));
        }
        for (field, value) in [("width", self.width), ("height", self.height)] {
            let pixels = value * self.ratio;
            if !(1.0..=MAX_PIXELS).contains(&pixels) {
                return Err(Refusal::new(field, value, "1 to 16384 device pixels"));
            }
        }
        if !(self.font_size > 0.0 && self.font_size.is_finite()) {
            return Err(Refusal::new("font_size", self.font_size, "positive numbers"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_stand_in_their_order() {
        for (place, tint) in Tint::ALL.into_iter().enumerate() {
            assert_eq!(tint as usize, place);
        }
    }

    #[test]
    fn colours_are_read_as_canvases_write_them() {
        let colour = |red, green, blue, opacity| Some(Colour { red, green, blue, opacity });
        assert_eq!(Colour::from_css("#2a6fb0"), colour(0x2a, 0x6f, 0xb0, 1.0));
        assert_eq!(Colour::from_css("rgba(0, 128, 255, 0.5)"), colour(0, 128, 255, 0.5));
        assert_eq!(Colour::from_css("rgba(0, 0, 0, 0)"), colour(0, 0, 0, 0.0));
        assert_eq!(Colour::from_css("rgba(0, 0, 0, 0.502)"), colour(0, 0, 0, 0.502));
        for other in ["#fff", "#12345g", "red", "rgba(0, 0, 0, 2)", "rgba(0, 0, 0)", "rgba(0, 0, 300, 1)", ""] {
            assert_eq!(Colour::from_css(other), None, "{other}");
        }
    }
}
