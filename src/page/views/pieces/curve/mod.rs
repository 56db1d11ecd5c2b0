//! Charts on a canvas, drawn by a part of the page that is fetched when the first of them comes into sight.

mod painter;

use std::rc::Rc;

use vram_ledger::chart::Chart;
use vram_ledger::text;
use vram_ledger::words::Language;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::page::context::settings::Theme;
use crate::page::format;
use painter::Painter;

/// A number of an amount of memory along an axis, its unit left out.
pub fn amount(value: f64) -> String {
    if value >= 1.0 { format::grouped(value) } else { decimal(value) }
}

/// A number in the digits of FP32: what the arithmetic of ticks leaves behind those is not meant.
pub fn decimal(value: f64) -> String {
    let meant = value as f32;
    let text = if meant.is_finite() { format!("{meant:?}") } else { format!("{value:e}") };
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A chart, made anew when something about it changes: whether it is the same one is all that is ever asked.
#[derive(Clone)]
pub struct Picture(Rc<Chart>);

impl Picture {
    /// A picture of its own.
    pub fn new(chart: Chart) -> Picture {
        Picture(Rc::new(chart))
    }
}

impl PartialEq for Picture {
    fn eq(&self, other: &Picture) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// What a curve is shown from.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// What is drawn.
    pub picture: Picture,
    /// What stands above it.
    pub title: AttrValue,
    /// The picture in words, for those who do not see it; the numbers stand in a table of their own.
    pub words: AttrValue,
    /// The language shown.
    pub language: Language,
    /// The theme chosen; a change of the system's is noticed without.
    pub theme: Option<Theme>,
    /// Whether it is half as high as usual.
    #[prop_or_default]
    pub low: bool,
}

/// A curve with its title. Rendered to text it is an empty canvas with its words.
#[component]
pub fn Curve(props: &Props) -> Html {
    let canvas = use_node_ref();
    let failed = use_state_eq(|| false);
    let painter = use_mut_ref(|| None::<Rc<Painter>>);
    {
        let (canvas, painter, failed) = (canvas.clone(), Rc::clone(&painter), failed.setter());
        use_effect_with((), move |()| {
            let found = canvas.cast::<HtmlCanvasElement>();
            *painter.borrow_mut() = found.map(|canvas| Painter::new(canvas, move || failed.set(true)));
            move || drop(painter.take())
        });
    }
    use_effect_with((props.picture.clone(), props.theme), move |(picture, _)| {
        if let Some(painter) = painter.borrow().as_ref() {
            painter.show(Rc::clone(&picture.0));
        }
    });
    html! {
        <figure class={classes!("curve", props.low.then_some("low"))}>
            <figcaption>{ &props.title }</figcaption>
            <canvas ref={canvas} role="img" aria-label={&props.words} hidden={*failed} />
            if *failed {
                <p class="note" role="status">{ props.language.say(text!(curves::MISSING)) }</p>
            }
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vram_ledger::chart::Tint;

    #[test]
    fn ticks_are_written_without_what_rounding_left() {
        assert_eq!(amount(1000.0), "1,000");
        assert_eq!(amount(0.1), "0.1");
        assert_eq!(amount(0.001), "0.001");
        assert_eq!(decimal(1.2000000000000002), "1.2");
        assert_eq!(decimal(-57344.0), "-57344");
        assert_eq!(decimal(2.5e-8), "2.5e-8");
        assert_eq!(decimal(3e40), "3e40");
    }

    #[test]
    fn the_style_sheet_has_every_colour_in_both_themes() {
        let css = include_str!("../../../../../static/views.css");
        for tint in Tint::ALL {
            let name = tint.property();
            assert!(css.contains(&format!("@property {name} {{")), "{name} is not registered as a colour");
            assert!(css.contains(&format!("{name}: ")), "{name} has no value");
        }
    }
}
