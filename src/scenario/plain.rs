//! The value of a setting where it is plain: a number, a name or a switch, which is what controls show and take.

use std::fmt;

use super::{Adapter, AdapterTargets, GpuChoice, LinkChoice, ModelChoice, Number, RecipeChoice};
use crate::names::{Name, ZeroPlusPlus};
use crate::units::trimmed;

/// A plain value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plain {
    /// A number.
    Number(f64),
    /// One of the names that the setting can have.
    Name(&'static str),
    /// On or off.
    Switch(bool),
    /// A list or an object, which no plain value stands for.
    Own,
}

impl Plain {
    /// The number.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        if let Plain::Number(number) = self { Some(number) } else { None }
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        if let Plain::Name(name) = self { Some(name) } else { None }
    }

    /// Whether it is on.
    #[must_use]
    pub fn switch(self) -> Option<bool> {
        if let Plain::Switch(on) = self { Some(on) } else { None }
    }
}

/// As a refusal quotes it.
impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Plain::Number(number) => f.write_str(&trimmed(*number, 6)),
            Plain::Name(name) => write!(f, "\"{name}\""),
            Plain::Switch(on) => f.write_str(if *on { "true" } else { "false" }),
            Plain::Own => f.write_str("an object"),
        }
    }
}

/// A type of value that a setting can have or stand for.
pub(super) trait AsPlain: Sized {
    /// The value, if it is plain.
    fn plain(&self) -> Plain;

    /// The value of this type that a plain one stands for.
    fn from_plain(_: Plain) -> Option<Self> {
        None
    }
}

impl AsPlain for Number {
    fn plain(&self) -> Plain {
        Plain::Number(self.0)
    }

    fn from_plain(value: Plain) -> Option<Number> {
        value.number().map(Number)
    }
}

impl AsPlain for f64 {
    fn plain(&self) -> Plain {
        Plain::Number(*self)
    }
}

impl AsPlain for u64 {
    fn plain(&self) -> Plain {
        // Counts of scenarios stay far below 2^53.
        Plain::Number(*self as f64)
    }
}

impl AsPlain for bool {
    fn plain(&self) -> Plain {
        Plain::Switch(*self)
    }

    fn from_plain(value: Plain) -> Option<bool> {
        value.switch()
    }
}

impl<T: Name> AsPlain for T {
    fn plain(&self) -> Plain {
        Plain::Name(self.name())
    }

    fn from_plain(value: Plain) -> Option<T> {
        T::from_name(value.name()?)
    }
}

impl AsPlain for RecipeChoice {
    fn plain(&self) -> Plain {
        match self {
            RecipeChoice::Named(name) => name.plain(),
            RecipeChoice::Custom(_) => Plain::Own,
        }
    }

    fn from_plain(value: Plain) -> Option<RecipeChoice> {
        AsPlain::from_plain(value).map(RecipeChoice::Named)
    }
}

macro_rules! not_plain {
    ($($kind:ty),+) => {$(
        impl AsPlain for $kind {
            fn plain(&self) -> Plain {
                Plain::Own
            }
        }
    )+};
}

not_plain!(Adapter, AdapterTargets, GpuChoice, LinkChoice, ModelChoice, Vec<Number>, Vec<ZeroPlusPlus>);
