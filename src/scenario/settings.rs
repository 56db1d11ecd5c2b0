//! What is made of the rows: the structures of the question, what is left of them once each value is within its range,
//! and the settings as data.

use serde_json::Value;

use super::plain::{AsPlain, Plain};
use super::rows::rows;
use super::{
    AdapterTargets, Change, GpuChoice, LinkChoice, MOST_GPUS, MOST_LAYERS, MOST_SEQUENCES, MOST_TOKENS, ModelChoice,
    Number, RecipeChoice, Setting, range,
};
use crate::frameworks::Framework;
use crate::names::{
    AdapterKind, Attention, BandwidthView, CacheFormat, ComputeFormat, ContextMethod, DispatchFormat, Engine,
    FlopsConvention, Kernels, LatentCache, Loss, Name, Offload, OptimizerStep, Recompute, ReduceFormat, Schedule,
    Sharding, WeightFormat, ZeroPlusPlus,
};
use crate::optimizers::Optimizer;
use crate::refusal::FieldError;
use crate::schema::{Field, Others, Path, Schema, read_object, write_object};

/// What the value of a setting can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number.
    Number {
        /// The least that is allowed.
        least: f64,
        /// The most that is allowed.
        most: f64,
        /// Whether it must be whole.
        whole: bool,
        /// What it is where it is not given, if that is always the same.
        default: Option<f64>,
        /// What it counts.
        quantity: Quantity,
    },
    /// One of these names.
    Name(&'static [&'static str]),
    /// On or off.
    Switch,
    /// A list or an object, or a choice between a name and an object.
    Own,
}

/// What a number counts, and so what its suffixes mean where people type it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Parameters, or tokens of a whole run: k, m, b (or g) and t are powers of 1000.
    Parameters,
    /// Tokens: k and m are powers of 1024, as in "a 128k context".
    Tokens,
    /// Things that are counted one by one; no suffix.
    Count,
    /// A share from 0 to 1; no suffix.
    Share,
    /// A multiple of something; no suffix.
    Factor,
    /// Bytes: kB, MB, GB and TB are powers of 1000, KiB, MiB, GiB and TiB of 1024.
    Bytes,
}

/// Where a setting stands among the others when they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Above the answer: the first that people set.
    Above,
    /// In sight, before the sections that open.
    InSight,
    /// How a model is trained.
    Training,
    /// How training is spread over GPUs.
    Layout,
    /// What is asked of a deployment.
    Requests,
    /// In what formats it holds weights and cache.
    Formats,
    /// What its engine does with memory.
    EngineMemory,
    /// How it is spread over GPUs.
    Split,
    /// The machines, and what is reckoned for the whole run.
    Cluster,
}

/// The row of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Its dotted path.
    pub path: &'static str,
    /// What its value can be.
    pub kind: Kind,
    /// Where it is shown; nowhere where it has no control of its own.
    pub section: Option<Section>,
}

/// The type of what is given.
macro_rules! given_type {
    (own($type:ty)) => {
        $type
    };
    (name($type:ty; $($default:tt)+)) => {
        $type
    };
    (switch $default:tt) => {
        bool
    };
    ($number:ident $range:tt) => {
        Number
    };
}

/// The type of what it stands for.
macro_rules! plain_type {
    (whole $range:tt) => {
        u64
    };
    (real $range:tt) => {
        f64
    };
    (name($type:ty; $($default:tt)+)) => {
        $type
    };
    (switch $default:tt) => {
        bool
    };
}

/// The type of what is known of it before the rest of the question is.
macro_rules! checked_type {
    (name($type:ty; default $default:expr)) => { $type };
    (switch(default $default:expr)) => { bool };
    ($number:ident($least:expr, $most:expr; default $default:expr; $quantity:ident)) => {
        plain_type!($number($least, $most; default $default; $quantity))
    };
    ($kind:ident $default:tt) => { Option<plain_type!($kind $default)> };
}

/// The type of what it stands for in the end: nothing at all only where its absence means something.
macro_rules! settled_type {
    (name($type:ty; absent)) => { Option<$type> };
    ($number:ident($least:expr, $most:expr; absent; $quantity:ident)) => {
        Option<plain_type!($number($least, $most; absent; $quantity))>
    };
    ($kind:ident $default:tt) => { plain_type!($kind $default) };
}

/// The given value, if it is within its range, or the default that is always the same.
macro_rules! checked {
    ($path:expr, $given:expr, whole($least:expr, $most:expr; default $default:expr; $quantity:ident)) => {
        range::whole($path, $given, $default, $least, $most)?
    };
    ($path:expr, $given:expr, whole($least:expr, $most:expr; $default:ident; $quantity:ident)) => {
        range::optional_whole($path, $given, $least, $most)?
    };
    ($path:expr, $given:expr, real($least:expr, $most:expr; default $default:expr; $quantity:ident)) => {
        range::real($path, $given, $default, $least, $most)?
    };
    ($path:expr, $given:expr, real($least:expr, $most:expr; $default:ident; $quantity:ident)) => {
        range::optional_real($path, $given, $least, $most)?
    };
    ($path:expr, $given:expr, name($type:ty; default $default:expr)) => {
        $given.unwrap_or($default)
    };
    ($path:expr, $given:expr, switch(default $default:expr)) => {
        $given.unwrap_or($default)
    };
    ($path:expr, $given:expr, $kind:ident $default:tt) => {
        $given
    };
}

/// What was derived, where it had to be; else what was checked.
macro_rules! settled {
    ($checked:expr, $derived:expr, name($type:ty; derived)) => {
        $derived
    };
    ($checked:expr, $derived:expr, switch(derived)) => {
        $derived
    };
    ($checked:expr, $derived:expr, $number:ident($least:expr, $most:expr; derived; $quantity:ident)) => {
        $derived
    };
    ($checked:expr, $derived:expr, $kind:ident $default:tt) => {
        $checked
    };
}

/// A settled value, where it has one.
macro_rules! plain {
    ($settled:expr, name($type:ty; absent)) => {
        $settled.as_ref().map(AsPlain::plain)
    };
    ($settled:expr, $number:ident($least:expr, $most:expr; absent; $quantity:ident)) => {
        $settled.as_ref().map(AsPlain::plain)
    };
    ($settled:expr, $kind:ident $default:tt) => {
        Some($settled.plain())
    };
}

/// The kind as data.
macro_rules! kind {
    (own($type:ty)) => { Kind::Own };
    (name($type:ty; $($default:tt)+)) => { Kind::Name(<$type as Name>::NAMES) };
    (switch $default:tt) => { Kind::Switch };
    (whole($least:expr, $most:expr; $($default:tt)+)) => {
        kind!(@number true, $least as f64, $most as f64, $($default)+)
    };
    (real($least:expr, $most:expr; $($default:tt)+)) => { kind!(@number false, $least, $most, $($default)+) };
    (@number $whole:expr, $least:expr, $most:expr, default $default:expr; $quantity:ident) => {
        kind!(@made $whole, $least, $most, Some($default as f64), $quantity)
    };
    (@number $whole:expr, $least:expr, $most:expr, $default:ident; $quantity:ident) => {
        kind!(@made $whole, $least, $most, None, $quantity)
    };
    (@made $whole:expr, $least:expr, $most:expr, $default:expr, $quantity:ident) => {
        Kind::Number {
            least: $least, most: $most, whole: $whole, default: $default, quantity: Quantity::$quantity,
        }
    };
}

/// Sorts out the rows of a part that have a settled value, and among them those that are derived, and makes a structure
/// of each.
macro_rules! sorted {
    ($part:tt [$($settled:tt)*] [$($derived:tt)*] { $doc:tt $id:ident $field:ident own $type:tt } $($rest:tt)*) => {
        sorted! { $part [$($settled)*] [$($derived)*] $($rest)* }
    };
    ($part:tt [$($settled:tt)*] [$($derived:tt)*]
        { $doc:tt $id:ident $field:ident name($type:ty; derived) } $($rest:tt)*) => {
        sorted! { $part
            [$($settled)* { $doc $id $field name($type; derived) }] [$($derived)* { $doc $field name($type; derived) }]
            $($rest)*
        }
    };
    ($part:tt [$($settled:tt)*] [$($derived:tt)*] { $doc:tt $id:ident $field:ident switch(derived) } $($rest:tt)*) => {
        sorted! { $part
            [$($settled)* { $doc $id $field switch(derived) }] [$($derived)* { $doc $field switch(derived) }] $($rest)*
        }
    };
    ($part:tt [$($settled:tt)*] [$($derived:tt)*]
        { $doc:tt $id:ident $field:ident $number:ident($least:expr, $most:expr; derived; $quantity:ident) }
        $($rest:tt)*) => {
        sorted! { $part
            [$($settled)* { $doc $id $field $number($least, $most; derived; $quantity) }]
            [$($derived)* { $doc $field $number($least, $most; derived; $quantity) }]
            $($rest)*
        }
    };
    ($part:tt [$($settled:tt)*] [$($derived:tt)*]
        { $doc:tt $id:ident $field:ident $kind:ident $default:tt } $($rest:tt)*) => {
        sorted! { $part [$($settled)* { $doc $id $field $kind $default }] [$($derived)*] $($rest)* }
    };
    ([$part:ident $prefix:literal $checked:ident $derived:ident $settled:ident]
        [$({ [$($doc:tt)*] $id:ident $field:ident $kind:ident $default:tt })*]
        [$({ [$($derived_doc:tt)*] $derived_field:ident $derived_kind:ident $derived_default:tt })*]) => {
        #[doc = concat!("What [`", stringify!($part), "`] says, each value within its range.")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $checked {
            $($($doc)* pub $field: checked_type!($kind $default)),*
        }

        #[doc = concat!("What is derived for [`", stringify!($part), "`] from the rest of the question.")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $derived {
            $($($derived_doc)* pub $derived_field: plain_type!($derived_kind $derived_default)),*
        }

        #[doc = concat!("What [`", stringify!($part), "`] stands for, with every default filled in.")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $settled {
            $($($doc)* pub $field: settled_type!($kind $default)),*
        }

        impl $part {
            /// Holds each value against its range, in the order of the rows, and then against those without which it
            /// means nothing.
            ///
            /// # Errors
            /// The first that is out of its range, or means nothing.
            pub fn check(&self) -> Result<$checked, FieldError> {
                let checked = $checked {
                    $($field: checked!(concat!($prefix, stringify!($field)), self.$field, $kind $default)),*
                };
                self.check_conditions(&checked)?;
                Ok(checked)
            }
        }

        impl $checked {
            /// The settled values, given those that are derived.
            #[must_use]
            #[allow(unused_variables, reason = "a part in which nothing is derived")]
            pub fn settle(self, derived: $derived) -> $settled {
                $settled { $($field: settled!(self.$field, derived.$field, $kind $default)),* }
            }
        }

        impl $settled {
            /// The value of a setting of this part; none where its absence means something, or in another part.
            #[must_use]
            pub fn value(&self, setting: SettingId) -> Option<Plain> {
                match setting {
                    $(SettingId::$id => plain!(self.$field, $kind $default),)*
                    _ => None,
                }
            }
        }
    };
}

/// Everything that is made of the rows.
macro_rules! define {
    ($(
        $(#[$part_doc:meta])*
        $part:ident {
            path: $prefix:literal,
            given: |$given_in:ident| $given:expr,
            slot: |$slot_in:ident| $slot:expr,
            types: $checked:ident $derived:ident $settled:ident,
            parts: { $($inner:ident: $inner_type:ident),* },

            $($(#[$doc:meta])* $id:ident $field:ident: $kind:ident $spec:tt $(in $section:ident)? $(unless $other:ident = $value:path)?;)+
        }
    )+) => {
        $(
            $(#[$part_doc])*
            #[derive(Clone, Debug, Default, PartialEq)]
            pub struct $part {
                $($(#[$doc])* pub $field: Option<given_type!($kind $spec)>,)+
                $(#[doc = concat!("See [`", stringify!($inner_type), "`].")] pub $inner: Option<$inner_type>,)*
            }

            impl $part {
                #[allow(unused_variables, reason = "a part in which nothing depends on anything")]
                fn check_conditions(&self, checked: &$checked) -> Result<(), FieldError> {
                    $($(
                        if let Some(given) = self.$field.as_ref().filter(|_| checked.$other == $value) {
                            let (path, with) =
                                (concat!($prefix, stringify!($field)), concat!($prefix, stringify!($other)));
                            return Err(FieldError::only(path, AsPlain::plain(given).to_string(), with, &$value.others()));
                        }
                    )?)+
                    Ok(())
                }
            }

            impl Schema for $part {
                fn read(value: &Value, at: &Path) -> Result<Self, FieldError> {
                    read_object(value, at, Self::FIELDS, Others::Refused)
                }

                fn write(&self) -> Value {
                    write_object(self, Self::FIELDS)
                }
            }

            impl $part {
                /// Whether nothing at all is given.
                #[must_use]
                pub fn is_empty(&self) -> bool {
                    $(self.$field.is_none())&&+ $(&& self.$inner.is_none())*
                }

                const FIELDS: &'static [Field<$part>] = &[
                    $(Field {
                        key: stringify!($field),
                        read: |part, value, at| {
                            part.$field = Some(Schema::read(value, at)?);
                            Ok(())
                        },
                        write: |part| part.$field.as_ref().map(Schema::write),
                    },)+
                    $(Field {
                        key: stringify!($inner),
                        read: |part, value, at| {
                            part.$inner = Some(Schema::read(value, at)?);
                            Ok(())
                        },
                        write: |part| part.$inner.as_ref().map(Schema::write),
                    },)*
                ];
            }

            #[allow(non_upper_case_globals, reason = "a setting has the name of its field")]
            impl $part {
                $(
                    #[doc = concat!("The setting `", $prefix, stringify!($field), "`.")]
                    pub const $field: Setting<given_type!($kind $spec)> = Setting {
                        id: SettingId::$id,
                        path: concat!($prefix, stringify!($field)),
                        get: |$given_in| $given.and_then(|part| part.$field.as_ref()),
                        slot: |$slot_in| &mut $slot.$field,
                    };
                )+
            }

            sorted! {
                [$part $prefix $checked $derived $settled] [] []
                $({ [$(#[$doc])*] $id $field $kind $spec })+
            }
        )+

        /// Every setting.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SettingId {
            $($($(#[$doc])* $id,)+)+
        }

        impl SettingId {
            /// All of them, in the order in which they are shown.
            pub const ALL: &'static [SettingId] = &[$($(SettingId::$id,)+)+];

            const ROWS: &'static [Row] = &[$($(Row {
                path: concat!($prefix, stringify!($field)),
                kind: kind!($kind $spec),
                section: [$(Some(Section::$section),)? None][0],
            },)+)+];

            /// What `scenario` gives it.
            #[must_use]
            pub fn given(self, scenario: &Scenario) -> Option<Plain> {
                match self {
                    $($(SettingId::$id => $part::$field.given(scenario).map(AsPlain::plain),)+)+
                }
            }

            /// The change that gives it back to its default.
            #[must_use]
            pub fn unset(self) -> Change {
                match self {
                    $($(SettingId::$id => $part::$field.unset(),)+)+
                }
            }

            /// The change that gives it a value; none where the setting cannot have it. Whether it is within its range is
            /// found on resolving.
            #[must_use]
            pub fn to(self, value: Plain) -> Option<Change> {
                match self {
                    $($(SettingId::$id => AsPlain::from_plain(value).map(|value| $part::$field.to(value)),)+)+
                }
            }
        }
    };
}

rows!(define);

impl SettingId {
    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static Row {
        // Rows and ids are in the same order, by the macro that makes both.
        &SettingId::ROWS[self as usize]
    }

    /// The setting of a dotted path.
    #[must_use]
    pub fn from_path(path: &str) -> Option<SettingId> {
        SettingId::ALL.iter().copied().find(|setting| setting.path() == path)
    }

    /// Its dotted path.
    #[must_use]
    pub fn path(self) -> &'static str {
        self.row().path
    }

    /// What its value can be.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.row().kind
    }

    /// Whether a value of it asks for nothing, so that it may be given even to what has no such thing: a switch that is
    /// off, a number at the least it can be, if that is also its default.
    #[must_use]
    pub fn asks_for_nothing(self, value: Plain) -> bool {
        match self.kind() {
            Kind::Switch => value == Plain::Switch(false),
            Kind::Number { least, default, .. } => default == Some(least) && value == Plain::Number(least),
            Kind::Name(_) | Kind::Own => false,
        }
    }
}
