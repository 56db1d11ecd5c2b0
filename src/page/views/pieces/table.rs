//! What the tables of the views have in common.

use yew::prelude::*;

/// A head of one row. A column of numbers is set to the right.
pub fn head(columns: &[(&'static str, Numbers)]) -> Html {
    let cells = columns.iter().map(|(name, numbers)| {
        html! { <th scope="col" class={numbers.class()}>{ *name }</th> }
    });
    html! { <thead><tr>{ for cells }</tr></thead> }
}

/// Whether a column holds numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// It does.
    Yes,
    /// It holds words.
    No,
}

impl Numbers {
    fn class(self) -> Option<&'static str> {
        (self == Numbers::Yes).then_some("number")
    }
}

/// A cell of a column of words or numbers.
pub fn cell(text: impl Into<AttrValue>, numbers: Numbers) -> Html {
    plain_cell(text.into(), numbers)
}

// Not generic, so that it is compiled once.
fn plain_cell(text: AttrValue, numbers: Numbers) -> Html {
    html! { <td class={numbers.class()}>{ text }</td> }
}

/// The cell that names its row.
pub fn row_head(text: impl Into<AttrValue>) -> Html {
    plain_row_head(text.into())
}

fn plain_row_head(text: AttrValue) -> Html {
    html! { <th scope="row">{ text }</th> }
}

/// A table that may be wider than the screen: it scrolls in a region of its own, which the keyboard reaches.
pub fn scrolling(name: &'static str, table: Html) -> Html {
    html! { <div class="scroll" tabindex="0" role="region" aria-label={name}>{ table }</div> }
}
