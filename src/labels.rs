//! What the values of settings are called. Beside the texts stand the names of products, which engines and frameworks
//! bring themselves.

use crate::frameworks::Framework;
use crate::names::{
    AdapterKind, Attention, BandwidthView, CacheFormat, ComputeFormat, ContextMethod, DispatchFormat, Engine,
    FlopsConvention, Kernels, LatentCache, Loss, Name, Offload, OptimizerStep, Recompute, ReduceFormat, Schedule,
    Sharding, WeightFormat,
};
use crate::optimizers::Optimizer;
use crate::scenario::SettingId;
use crate::scenario::rows::rows;
use crate::words::Language;

/// Names that a setting can have, by what they are called.
trait Called: Name {
    fn called(self, language: Language) -> &'static str;
}

macro_rules! called {
    ($($kind:ident: $label:ident),+ $(,)?) => {$(
        impl Called for $kind {
            fn called(self, language: Language) -> &'static str {
                language.$label(self)
            }
        }
    )+};
}

called! {
    AdapterKind: adapter, Attention: attention, BandwidthView: bandwidth_view, CacheFormat: cache_format,
    ComputeFormat: compute, ContextMethod: context_method, DispatchFormat: dispatch, Engine: engine,
    FlopsConvention: convention, Framework: framework, Kernels: kernels, LatentCache: latent_cache, Loss: loss,
    Offload: offload, Optimizer: optimizer, OptimizerStep: optimizer_step, Recompute: recompute,
    ReduceFormat: reduce_format, Schedule: schedule, Sharding: sharding, WeightFormat: weight_format,
}

/// What a value of a setting is called, by the setting's kind.
macro_rules! value_called {
    ($language:ident, $index:ident, name($kind:ty; $($default:tt)+)) => {
        <$kind as Name>::ALL[$index].called($language)
    };
    ($language:ident, $index:ident, $kind:ident $spec:tt) => {
        ""
    };
}

/// What the values of every setting are called.
macro_rules! values_called {
    ($(
        $(#[$part_doc:meta])*
        $part:ident {
            path: $prefix:literal,
            given: |$given_in:ident| $given:expr,
            slot: |$slot_in:ident| $slot:expr,
            types: $checked:ident $derived:ident $settled:ident,
            parts: $parts:tt,

            $($(#[$doc:meta])* $id:ident $field:ident: $kind:ident $spec:tt $(in $section:ident)? $(unless $other:ident = $value:path)?;)+
        }
    )+) => {
        impl Language {
            /// What the name at `index` among those that a setting can have is called; nothing where it takes no names.
            #[must_use]
            pub fn value(self, setting: SettingId, index: usize) -> &'static str {
                match setting {
                    $($(SettingId::$id => value_called!(self, index, $kind $spec),)+)+
                }
            }
        }
    };
}

rows!(values_called);
