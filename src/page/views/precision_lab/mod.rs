//! The precision lab: what becomes of a weight to which a small update is added many times.

mod number;
mod outcome;
mod state;
#[cfg(all(test, feature = "ssr"))]
mod tests;

use vram_ledger::numerics::{Format, Master, Rounding, Stored};
use vram_ledger::text;
use vram_ledger::words::Language;
use yew::prelude::*;
use yew::virtual_dom::VList;

use crate::page::context::input_value;
use crate::page::context::settings::Theme;
use crate::page::controls::{option, select};
use crate::page::views::pieces::curve::{Curve, Picture};
use outcome::Outcome;
use state::{Action, Field};

pub use state::Lab;

/// What the view is drawn from.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The lab as it was left.
    pub lab: UseReducerHandle<Lab>,
    /// The language shown.
    pub language: Language,
    /// Light or dark, where somebody chose.
    pub theme: Option<Theme>,
}

/// The lab.
#[component]
pub fn PrecisionLab(props: &Props) -> Html {
    let Props { lab, language, theme } = props;
    let (language, setup) = (*language, lab.setup);
    let shown = use_memo((setup, language), |(setup, language)| {
        let outcome = Outcome::of(setup)?;
        let picture = Picture::new(outcome::picture(setup, &outcome, *language));
        Some((outcome, picture))
    });
    let Some((outcome, picture)) = shown.as_ref() else { return Html::default() };
    html! {
        <div class="lab">
            <section class="two-columns">
                <div>
                    <h3>{ language.say(text!(precision_lab::EXPERIMENT)) }</h3>
                    <div class="setup">{ controls(lab, language) }</div>
                    <p class="quiet">{ language.say(text!(precision_lab::WHY_MASTER_WEIGHTS)) }</p>
                </div>
                <div>{ findings(lab, outcome, language) }</div>
            </section>
            <Curve
                picture={picture.clone()} title={language.say(text!(precision_lab::WEIGHT_CURVE))} {language} theme={*theme}
                words={outcome::words(&setup, outcome, language)}
            />
            { results(lab, outcome, language) }
        </div>
    }
}

fn controls(lab: &UseReducerHandle<Lab>, language: Language) -> Html {
    let setup = &lab.setup;
    let mut formats = VList::new();
    for format in Format::ALL {
        formats.add_child(option(
            format.id(),
            format.name(),
            shown(lab, Field::Format, setup.format.id()) == format.id(),
        ));
    }
    let mut roundings = VList::new();
    for rounding in Rounding::ALL {
        let chosen = shown(lab, Field::Rounding, setup.rounding.id()) == rounding.id();
        let name = match rounding {
            Rounding::NearestEven => text!(precision_lab::NEAREST_EVEN),
            Rounding::Truncation => text!(precision_lab::TRUNCATION),
        };
        roundings.add_child(option(rounding.id(), language.say(name), chosen));
    }
    let copied = setup.master == Master::Fp32;
    let switched = Action::Master(if copied { Master::None } else { Master::Fp32 });
    let dispatch = lab.dispatcher();
    html! {
        <>
        { field(lab, language, Field::Weight, number::field(setup.weight)) }
        { field(lab, language, Field::Update, number::field(setup.update)) }
        { field(lab, language, Field::Additions, number::count(setup.additions)) }
        { chooser(lab, language, Field::Format, shown(lab, Field::Format, setup.format.id()), formats, |id| Format::from_id(id).ok().map(Action::Format)) }
        { chooser(lab, language, Field::Rounding, shown(lab, Field::Rounding, setup.rounding.id()), roundings, |id| Rounding::from_id(id).ok().map(Action::Rounding)) }
        <div class="pair">
            <label class="switch">
                <input
                    type="checkbox" id="lab-master" checked={copied}
                    onchange={move |_| dispatch.dispatch(switched.clone())}
                />
                { " " }{ language.say(text!(precision_lab::MASTER_COPY)) }
            </label>
        </div>
        </>
    }
}

/// What a choice shows: what was refused stays chosen, with the reason under it.
fn shown<'a>(lab: &'a Lab, field: Field, now: &'a str) -> &'a str {
    lab.draft(field).map_or(now, |draft| &draft.text)
}

fn field(lab: &UseReducerHandle<Lab>, language: Language, field: Field, now: String) -> Html {
    let value = lab.draft(field).map_or(now, |draft| draft.text.clone());
    let refused = lab.draft(field).is_some_and(|draft| draft.refusal.is_some());
    let [typed, entered, abandoned] = [lab.dispatcher(), lab.dispatcher(), lab.dispatcher()];
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            abandoned.dispatch(Action::Abandoned(field));
        }
    });
    html! {
        <div class="pair">
            <label for={field.id()}>{ language.say(field.name()) }</label>
            <input
                type="text" inputmode="decimal" class="field" id={field.id()} autocomplete="off" spellcheck="false"
                {value} {onkeydown} oninput={move |event: InputEvent| typed.dispatch(Action::Typed(field, input_value(&event)))}
                onchange={move |_| entered.dispatch(Action::Entered(field))}
                aria-invalid={refused.then_some("true")} aria-describedby={refused.then(|| error_id(field))}
            />
            { error(lab, language, field) }
        </div>
    }
}

fn chooser(
    lab: &UseReducerHandle<Lab>,
    language: Language,
    field: Field,
    chosen: &str,
    options: VList,
    action: fn(&str) -> Option<Action>,
) -> Html {
    let dispatch = lab.dispatcher();
    let on_choice = Callback::from(move |value: String| {
        if let Some(action) = action(&value) {
            dispatch.dispatch(action);
        }
    });
    html! {
        <div class="pair">
            <label for={field.id()}>{ language.say(field.name()) }</label>
            { select(field.id(), chosen, options, on_choice) }
            { error(lab, language, field) }
        </div>
    }
}

/// What is wrong with what was entered.
fn error(lab: &UseReducerHandle<Lab>, language: Language, field: Field) -> Html {
    let refusal = lab.draft(field).and_then(|draft| Some((&draft.text, draft.refusal.as_ref()?)));
    let Some((text, refusal)) = refusal else { return Html::default() };
    let dispatch = lab.dispatcher();
    html! {
        <p class="error" id={error_id(field)} role="alert">
            { refusal.text(field, text, language) }
            { " " }
            <button type="button" class="link" onclick={move |_| dispatch.dispatch(Action::Abandoned(field))}>
                { language.say(text!(settings::DISMISS)) }
            </button>
        </p>
    }
}

fn error_id(field: Field) -> String {
    format!("{}-error", field.id())
}

/// What is stored, and what one addition and many do to it.
fn findings(lab: &Lab, outcome: &Outcome, language: Language) -> Html {
    let setup = &lab.setup;
    let series = outcome.chosen(setup.master);
    let format = setup.format.name();
    let [before, after] = [series.start, series.end].map(|stored| number::text(stored.value()));
    let gap = match series.start.gap_above() {
        Some(gap) => language.fill(text!(precision_lab::GAP), &[&number::text(gap)]),
        None => language.fill(text!(precision_lab::NO_GAP), &[format]),
    };
    let stuck = outcome.alone.stuck_after.filter(|steps| *steps > 0 && outcome.alone.end.is_finite()).map(|steps| {
        let stops_at = number::text(outcome.alone.end.value());
        language.fill(text!(precision_lab::STUCK_AFTER), &[&number::count(steps), &stops_at])
    });
    html! {
        <>
        <h3>{ language.fill(text!(precision_lab::BITS_BEFORE), &[format, &before]) }</h3>
        { bits(series.start, language) }
        <p>{ gap }</p>
        // Read out whenever it changes: it is what the experiment is about.
        <div role="status">
            <p class="finding">{ outcome::first_addition(setup, &outcome.alone, language) }</p>
            if let Some(stuck) = stuck {
                <p>{ stuck }</p>
            }
            if setup.master == Master::Fp32 {
                <p>{ outcome::first_addition_to_copy(setup, &outcome.copied, language) }</p>
            }
        </div>
        <h3>{ language.fill(text!(precision_lab::BITS_AFTER), &[&number::count(setup.additions), &after]) }</h3>
        { bits(series.end, language) }
        </>
    }
}

/// The bits of a stored number, field by field.
fn bits(stored: Stored, language: Language) -> Html {
    let fields = stored.bit_fields();
    let groups = [
        ("sign", text!(precision_lab::SIGN), fields.sign),
        ("exponent", text!(precision_lab::EXPONENT), fields.exponent),
        ("mantissa", text!(precision_lab::MANTISSA), fields.mantissa),
    ];
    html! {
        <dl class="bits">
            { for groups.into_iter().map(|(class, name, digits)| html! {
                <div {class}>
                    <dt>{ language.say(name) }{ " " }{ digits.len() }</dt>
                    <dd>{ digits }</dd>
                </div>
            }) }
        </dl>
    }
}

fn results(lab: &Lab, outcome: &Outcome, language: Language) -> Html {
    let setup = &lab.setup;
    let [weight, update] = [setup.weight, setup.update].map(number::given);
    let caption = language.fill(text!(precision_lab::RESULTS), &[&number::count(setup.additions), &update, &weight]);
    let columns = [
        text!(precision_lab::GAP_COLUMN),
        text!(precision_lab::NEAREST_COLUMN),
        text!(precision_lab::TRUNCATION_COLUMN),
        text!(precision_lab::COPY_COLUMN),
    ];
    html! {
        <>
        <div class="scroll" role="region" tabindex="0" aria-label={caption.clone()}>
            <table>
                <caption>{ caption }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ language.say(text!(precision_lab::FORMAT)) }</th>
                        { for columns.iter().map(|name| html! {
                            <th scope="col" class="number">{ language.say(*name) }</th>
                        }) }
                    </tr>
                </thead>
                <tbody>
                    { for outcome.rows.iter().map(|row| html! {
                        <tr class={(row.format == setup.format).then_some("now")}>
                            <th scope="row">{ row.format.name() }</th>
                            { for [row.gap, row.nearest, row.truncated, row.copied].iter().map(|value| html! {
                                <td class="number">
                                    { value.map_or_else(|| language.say(text!(precision_lab::BEYOND_RANGE)).to_owned(), number::text) }
                                </td>
                            }) }
                        </tr>
                    }) }
                </tbody>
            </table>
        </div>
        <p class="note">{ language.fill(text!(precision_lab::EXACT), &[&number::text(outcome.alone.exact)]) }</p>
        </>
    }
}
