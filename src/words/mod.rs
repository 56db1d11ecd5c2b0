//! What is said to people, in every language of the page: texts grouped by subject, one file a subject and language.
//!
//! A text is a constant of the same name in each language's file: [`text!`](crate::text!) takes all of them together,
//! so that one which a language lacks does not compile. What an enum's values are called is a function of the same
//! name in each. Both are linked where they are used and nowhere else, so how texts are grouped costs no size.
//!
//! Another language is a folder beside `en` and `zh`, and a line in each list of this file.

mod refused;
mod sentences;
#[cfg(test)]
mod tests;

use crate::answer::{Collective, Group, Half, Heuristic, LayerKind, LogFigure, Pass, Payload, Remedy, Term};
use crate::ledger::{Account, Basis, Rule, Symbol};
use crate::model::{Surplus, Understood};
use crate::names::{
    AdapterKind, Attention, BandwidthView, CacheFormat, ComputeFormat, ContextMethod, DispatchFormat, FlopsConvention,
    Kernels, LatentCache, Loss, Offload, OptimizerStep, RecipeName, Recompute, ReduceFormat, Schedule, Sharding,
    WeightFormat, ZeroPlusPlus,
};
use crate::optimizers::Optimizer;
use crate::refusal::Problem;
use crate::scenario::SettingId;

/// The texts in English.
#[allow(missing_docs, reason = "a text says what it says")]
pub mod en {
    pub mod accounts;
    pub mod advice;
    pub mod amounts;
    pub mod basis;
    pub mod cache_growth;
    pub mod card;
    pub mod collectives;
    pub mod communication;
    pub mod comparison;
    pub mod curves;
    pub mod differences;
    pub mod engines;
    pub mod head;
    pub mod ledger;
    pub mod logs;
    pub mod models;
    pub mod pasted_model;
    pub mod phases;
    pub mod plan;
    pub mod precision_lab;
    pub mod refusals;
    pub mod rules;
    pub mod rules_of_thumb;
    pub mod run;
    pub mod scaling;
    pub mod serving;
    pub mod settings;
    pub mod share;
    pub mod sources;
    pub mod stages;
    pub mod step;
    pub mod symbols;
    pub mod timeline;
    pub mod values;
    pub mod views;
}

/// The texts in Chinese, in simplified characters.
#[allow(missing_docs, reason = "a text says what it says")]
pub mod zh {
    pub mod accounts;
    pub mod advice;
    pub mod amounts;
    pub mod basis;
    pub mod cache_growth;
    pub mod card;
    pub mod collectives;
    pub mod communication;
    pub mod comparison;
    pub mod curves;
    pub mod differences;
    pub mod engines;
    pub mod head;
    pub mod ledger;
    pub mod logs;
    pub mod models;
    pub mod pasted_model;
    pub mod phases;
    pub mod plan;
    pub mod precision_lab;
    pub mod refusals;
    pub mod rules;
    pub mod rules_of_thumb;
    pub mod run;
    pub mod scaling;
    pub mod serving;
    pub mod settings;
    pub mod share;
    pub mod sources;
    pub mod stages;
    pub mod step;
    pub mod symbols;
    pub mod timeline;
    pub mod values;
    pub mod views;
}

/// The languages there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese in simplified characters.
    Chinese,
}

/// A text in every language. `{0}`, `{1}` … are places that [`Language::fill`] fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text(&'static [&'static str; Language::ALL.len()]);

impl Text {
    /// A text, in the order of [`Language::ALL`]; made by [`text!`](crate::text!).
    #[must_use]
    pub const fn new(texts: &'static [&'static str; Language::ALL.len()]) -> Text {
        Text(texts)
    }
}

/// A text by its subject and name, as in `text!(card::FITS)`: the constants of that name in all languages.
#[macro_export]
macro_rules! text {
    ($subject:ident :: $name:ident) => {
        const { $crate::words::Text::new(&[$crate::words::en::$subject::$name, $crate::words::zh::$subject::$name]) }
    };
}

/// What the values of an enum are called: a method of [`Language`] for each function of a subject.
macro_rules! labels {
    ($($(#[$doc:meta])* $subject:ident::$name:ident($($value:ident: $kind:ty),+) -> $answer:ty;)+) => {
        impl Language {$(
            $(#[$doc])*
            #[must_use]
            pub fn $name(self, $($value: $kind),+) -> $answer {
                match self {
                    Language::English => en::$subject::$name($($value),+),
                    Language::Chinese => zh::$subject::$name($($value),+),
                }
            }
        )+}
    };
}

labels! {
    /// An account.
    accounts::account(account: Account) -> &'static str;
    /// What a figure rests on, in a word or two.
    basis::basis(basis: Basis) -> &'static str;
    /// What it means that a figure rests on this.
    basis::basis_meaning(basis: Basis) -> &'static str;
    /// A kind of layer by what it keeps.
    cache_growth::layer_kind(kind: LayerKind) -> &'static str;
    /// A half of the question.
    card::half(half: Half) -> &'static str;
    /// A collective.
    collectives::collective(collective: Collective) -> &'static str;
    /// The ranks that take part in a collective.
    collectives::group(group: Group) -> &'static str;
    /// What a collective moves.
    collectives::payload(payload: Payload) -> &'static str;
    /// A pass of serving.
    collectives::pass(pass: Pass) -> &'static str;
    /// What would hide more of a line of traffic.
    collectives::remedy(remedy: Remedy) -> &'static str;
    /// What a part of the difference between a published count and the derived one is, with places for its numbers.
    differences::surplus(surplus: Surplus) -> &'static str;
    /// What a line of a log states.
    logs::log_figure(figure: LogFigure) -> &'static str;
    /// What was made of a pasted model.
    pasted_model::understood(understood: &Understood) -> String;
    /// A part of the time of a step, within a sentence.
    plan::term(term: Term) -> &'static str;
    /// What is wrong with a value: what was given and what is allowed.
    refusals::problem(problem: &Problem) -> String;
    /// What the bytes of a rule are.
    rules::rule(rule: Rule) -> &'static str;
    /// What a rule says. `{0}`, `{1}` … are places for the numbers that triggered it.
    rules_of_thumb::rule_of_thumb(rule: Heuristic) -> &'static str;
    /// What sources say that do otherwise, where some do.
    rules_of_thumb::rule_of_thumb_but(rule: Heuristic) -> Option<&'static str>;
    /// What a symbol stands for.
    symbols::symbol(symbol: Symbol) -> &'static str;
    /// What a setting is called.
    settings::setting(setting: SettingId) -> &'static str;
    /// A part of ZeRO++.
    settings::zero_plus_plus(part: ZeroPlusPlus) -> &'static str;
    /// A training recipe.
    values::recipe(recipe: RecipeName) -> &'static str;
    /// What is sharded over the data-parallel ranks.
    values::sharding(sharding: Sharding) -> &'static str;
    /// The same in a word or two.
    values::sharding_short(sharding: Sharding) -> &'static str;
    /// The same at the head of a column, under "sharding".
    values::sharding_in_short(sharding: Sharding) -> &'static str;
    /// What is computed a second time in backward.
    values::recompute(recompute: Recompute) -> &'static str;
    /// The order of micro-batches in a pipeline.
    values::schedule(schedule: Schedule) -> &'static str;
    /// How a long sequence is split over ranks.
    values::context_method(method: ContextMethod) -> &'static str;
    /// How the weights are updated.
    values::optimizer_step(step: OptimizerStep) -> &'static str;
    /// The format of matrix products.
    values::compute(format: ComputeFormat) -> &'static str;
    /// The format in which gradients travel.
    values::reduce_format(format: ReduceFormat) -> &'static str;
    /// The format in which tokens travel to experts.
    values::dispatch(format: DispatchFormat) -> &'static str;
    /// What is offloaded to host memory.
    values::offload(offload: Offload) -> &'static str;
    /// A kind of adapter.
    values::adapter(kind: AdapterKind) -> &'static str;
    /// An optimiser.
    values::optimizer(optimizer: Optimizer) -> &'static str;
    /// How attention is computed.
    values::attention(attention: Attention) -> &'static str;
    /// The kernels of a layer.
    values::kernels(kernels: Kernels) -> &'static str;
    /// How the loss is computed.
    values::loss(loss: Loss) -> &'static str;
    /// A format of served weights.
    values::weight_format(format: WeightFormat) -> &'static str;
    /// A format of the key-value cache.
    values::cache_format(format: CacheFormat) -> &'static str;
    /// What counts as model FLOPs.
    values::convention(convention: FlopsConvention) -> &'static str;
    /// Which network cards of a node one collective can use.
    values::bandwidth_view(view: BandwidthView) -> &'static str;
    /// What latent attention caches.
    values::latent_cache(cache: LatentCache) -> &'static str;
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// The language tag of the document.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh-Hans",
        }
    }

    /// The name in the query.
    #[must_use]
    pub fn short(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }

    /// The name it has for itself.
    #[must_use]
    pub fn own_name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Chinese => "中文",
        }
    }

    /// The language of a tag such as `zh-CN`, if it is one of these.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Language> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        Language::ALL.into_iter().find(|language| language.short().eq_ignore_ascii_case(primary))
    }

    /// A text.
    #[must_use]
    pub fn say(self, text: Text) -> &'static str {
        text.0[self as usize]
    }

    /// A text with `parts` in the places of `{0}`, `{1}` …
    #[must_use]
    pub fn fill(self, text: Text, parts: &[&str]) -> String {
        fill(self.say(text), parts)
    }
}

/// Puts `parts` in the places of `{0}`, `{1}` …
#[must_use]
pub fn fill(template: &str, parts: &[&str]) -> String {
    let mut pieces = template.split('{');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        // A template has one digit in its brackets; a test reads them all.
        let (place, rest) = piece.split_once('}').unwrap_or(("", piece));
        text.push_str(place.parse().ok().and_then(|index: usize| parts.get(index)).unwrap_or(&""));
        text.push_str(rest);
    }
    text
}
