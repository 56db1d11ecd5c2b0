//! The models, searched by typing: a field with a list under it (the combobox of the ARIA practices).
//!
//! The arrow keys move through what was found, Enter takes it, Escape and leaving the field give the search up. The
//! focus stays in the field throughout; the list only shows where it stands. Enter after typing takes the first model
//! that was found, whether or not an arrow key went to it before.

use vram_ledger::model::{Published, catalogue};
use vram_ledger::scenario::{ModelChoice, Number, Scenario, SettingId};
use vram_ledger::text;
use vram_ledger::words::Language;
use web_sys::HtmlElement;
use yew::prelude::*;

use crate::page::context::elements::truth;
use crate::page::context::state::{Action, State};
use crate::page::context::{Page, input_value};
use crate::page::fields::Control;

/// One of the things that can be taken.
#[derive(Clone, Copy, PartialEq)]
enum Offer {
    /// A published model.
    Published(&'static Published),
    /// A decoder of the size that the slider has.
    AnySize,
    /// The text of a `config.json`.
    Paste,
}

/// What is offered for a text: the models of whose name, id and family every word of it is a part, and in any case
/// what is no model of the list.
fn offers(text: &str) -> Vec<Offer> {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let fits = |row: &&Published| {
        let all = format!("{} {} {}", row.name, row.id, row.architecture.family).to_lowercase();
        words.iter().all(|word| all.contains(word))
    };
    let found = catalogue().iter().filter(fits).map(Offer::Published);
    found.chain([Offer::AnySize, Offer::Paste]).collect()
}

/// The search: what was typed, and to which offer the arrow keys went.
#[derive(Clone, PartialEq)]
struct Search {
    text: String,
    at: Option<usize>,
}

impl Search {
    /// What Enter takes: where the arrow keys went, else the first model that was found for what was typed.
    fn stands(&self) -> Option<usize> {
        let found = || !self.text.trim().is_empty() && matches!(offers(&self.text).first(), Some(Offer::Published(_)));
        self.at.or_else(|| found().then_some(0))
    }
}

#[derive(Properties)]
struct Props {
    state: UseReducerHandle<State>,
    now: AttrValue,
}

/// It is drawn anew whenever the page is.
impl PartialEq for Props {
    fn eq(&self, _: &Props) -> bool {
        false
    }
}

/// The field. `now` is the name of what is chosen.
pub fn search(page: &Page, now: String) -> Html {
    html! { <ModelSearch state={page.state.clone()} {now} /> }
}

const LIST: &str = "model-list";

#[component]
fn ModelSearch(props: &Props) -> Html {
    let search = use_state(|| None::<Search>);
    let list = use_node_ref();
    let language = props.state.settings.language;
    let offered = search.as_ref().map(|search| offers(&search.text));
    let at = search.as_ref().and_then(Search::stands);
    {
        let list = list.clone();
        use_effect_with(at, move |at| {
            if let Some(at) = *at {
                bring_into_sight(&list, at);
            }
        });
    }
    let take = {
        let (search, state) = (search.clone(), props.state.clone());
        Callback::from(move |offer: Offer| {
            search.set(None);
            taken(&state, offer);
        })
    };
    let oninput = {
        let search = search.clone();
        Callback::from(move |event: InputEvent| {
            search.set(Some(Search { text: input_value(&event), at: None }));
        })
    };
    let onkeydown = {
        let (search, take) = (search.clone(), take.clone());
        Callback::from(move |event: KeyboardEvent| {
            let now = search.as_ref().cloned();
            let step = match event.key().as_str() {
                "ArrowDown" => 1,
                "ArrowUp" => -1,
                "Enter" => {
                    let Some(now) = now else { return };
                    if let Some(offer) = now.stands().and_then(|at| offers(&now.text).get(at).copied()) {
                        event.prevent_default();
                        take.emit(offer);
                    }
                    return;
                }
                "Escape" => return search.set(None),
                _ => return,
            };
            event.prevent_default();
            let Search { text, at } = now.unwrap_or(Search { text: String::new(), at: None });
            let count = offers(&text).len() as i64;
            let next = match at {
                Some(at) => (at as i64 + step).rem_euclid(count),
                None if step > 0 => 0,
                None => count - 1,
            };
            search.set(Some(Search { text, at: Some(next as usize) }));
        })
    };
    let onclick = {
        let search = search.clone();
        Callback::from(move |_: MouseEvent| {
            if search.is_none() {
                search.set(Some(Search { text: String::new(), at: None }));
            }
        })
    };
    let onblur = {
        let search = search.clone();
        Callback::from(move |_: FocusEvent| search.set(None))
    };
    let value = search.as_ref().map_or(props.now.clone(), |search| search.text.clone().into());
    let placeholder = search.as_ref().map(|_| language.say(text!(models::SEARCH)));
    let active = at.map(|at| format!("{LIST}-{at}"));
    html! {
        <div class="search">
            <input
                type="text" class="field" id={SettingId::Model.path()} role="combobox" autocomplete="off" spellcheck="false"
                aria-autocomplete="list" aria-expanded={truth(offered.is_some())} aria-controls={LIST}
                aria-activedescendant={active} {value} {placeholder} {oninput} {onkeydown} {onclick} {onblur}
            />
            if let Some(offered) = &offered {
                <div class="found">
                    <div id={LIST} role="listbox" aria-label={language.say(text!(models::MODEL))} ref={list}>
                        { for groups(offered).map(|(first, members)| {
                            group(&props.state, language, first, members, at, &take)
                        }) }
                    </div>
                    <p class={if offered.len() > 2 { "spoken" } else { "note" }} role="status">
                        { counted(language, offered.len() - 2) }
                    </p>
                </div>
            }
        </div>
    }
}

/// The offers by family, each group with the place of its first.
fn groups(offered: &[Offer]) -> impl Iterator<Item = (usize, &[Offer])> {
    let family = |offer: &Offer| match offer {
        Offer::Published(row) => Some(row.architecture.family),
        Offer::AnySize | Offer::Paste => None,
    };
    let mut first = 0;
    offered.chunk_by(move |a, b| family(a) == family(b)).map(move |members| {
        first += members.len();
        (first - members.len(), members)
    })
}

fn group(
    state: &UseReducerHandle<State>,
    language: Language,
    first: usize,
    members: &[Offer],
    at: Option<usize>,
    take: &Callback<Offer>,
) -> Html {
    let heading = match members.first() {
        Some(Offer::Published(row)) => row.architecture.family,
        _ => language.say(text!(models::OTHER_CHOICES)),
    };
    html! {
        <div role="group" aria-label={heading}>
            <p aria-hidden="true">{ heading }</p>
            { for members.iter().enumerate().map(|(index, offer)| {
                let (place, offer, take) = (first + index, *offer, take.clone());
                html! {
                    <div
                        role="option" id={format!("{LIST}-{place}")} class={(at == Some(place)).then_some("active")}
                        aria-selected={truth(at == Some(place))} aria-current={chosen(state, offer).then_some("true")}
                        // The focus stays in the field, so that a click is not taken for leaving it.
                        onmousedown={Callback::from(|event: MouseEvent| event.prevent_default())}
                        onclick={Callback::from(move |event: MouseEvent| {
                            event.stop_propagation();
                            take.emit(offer);
                        })}
                    >
                        { name(language, offer) }
                    </div>
                }
            }) }
        </div>
    }
}

fn name(language: Language, offer: Offer) -> &'static str {
    match offer {
        Offer::Published(row) => row.name,
        Offer::AnySize => language.say(text!(models::DECODER_OF_ANY_SIZE)),
        Offer::Paste => language.say(text!(models::PASTED_CONFIG)),
    }
}

/// Whether an offer is what the question has.
fn chosen(state: &State, offer: Offer) -> bool {
    match (&state.scenario.model, offer) {
        (Some(ModelChoice::Catalogue(row)), Offer::Published(other)) => row.id == other.id,
        (None | Some(ModelChoice::Parameters(_)), Offer::AnySize) => true,
        (Some(ModelChoice::Config(_)), Offer::Paste) => true,
        _ => false,
    }
}

fn counted(language: Language, found: usize) -> String {
    match found {
        0 => language.say(text!(models::NO_MODEL)).to_owned(),
        _ => language.fill(text!(models::FOUND), &[&found.to_string()]),
    }
}

fn taken(state: &UseReducerHandle<State>, offer: Offer) {
    let (model, shown) = match offer {
        Offer::Paste => return state.dispatch(Action::Typed(Control::ModelConfig, String::new())),
        Offer::Published(row) => (ModelChoice::Catalogue(row), row.id),
        Offer::AnySize => (ModelChoice::Parameters(Number(state.answer.memory().model.parameters)), ""),
    };
    state.dispatch(Action::Abandoned(Control::ModelConfig));
    let changes = Scenario::model.to(model).into();
    state.dispatch(Action::Change { by: SettingId::Model.into(), changes, shown: shown.to_owned(), sliding: false });
}

/// Scrolls the list, and nothing around it, until the option of that place is seen.
fn bring_into_sight(list: &NodeRef, at: usize) {
    let option = gloo::utils::document().get_element_by_id(&format!("{LIST}-{at}"));
    let (Some(list), Some(option)) = (list.cast::<HtmlElement>(), option) else { return };
    let (seen, wanted) = (list.get_bounding_client_rect(), option.get_bounding_client_rect());
    let below = wanted.bottom() - seen.bottom();
    let above = wanted.top() - seen.top();
    let by = if above < 0.0 { above } else { below.max(0.0) };
    list.set_scroll_top(list.scroll_top() + by.round() as i32);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&'static str> {
        let offers = offers(text);
        assert_eq!(offers[offers.len() - 2..].len(), 2);
        offers.iter().filter_map(|offer| if let Offer::Published(row) = offer { Some(row.id) } else { None }).collect()
    }

    #[test]
    fn every_word_has_to_be_found_in_any_order() {
        assert!(found("llama 8b").contains(&"llama-3.1-8b"));
        assert_eq!(found("8B LLAMA"), found("llama 8b"));
        assert!(found("llama-3.1-70b").contains(&"llama-3.1-70b"));
        assert_eq!(found("").len(), catalogue().len());
        assert!(found("no such model").is_empty());
    }
}
