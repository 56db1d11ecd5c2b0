//! When a chart is drawn: at most once a frame, and only while it can be seen.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::events::EventListener;
use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::utils::window;
use js_sys::Array;
use vram_ledger::chart::Chart;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlCanvasElement, IntersectionObserver, IntersectionObserverEntry, ResizeObserver};

use crate::page::borders::charts;

/// Draws one canvas until it is dropped.
pub struct Painter {
    canvas: HtmlCanvasElement,
    chart: RefCell<Option<Rc<Chart>>>,
    visible: Cell<bool>,
    waiting: Cell<bool>,
    frame: RefCell<Option<AnimationFrame>>,
    on_failure: Box<dyn Fn()>,
    watches: RefCell<Option<Watches>>,
}

/// Who tells that the canvas comes into sight, and what is called then.
type Sight = (IntersectionObserver, Closure<dyn FnMut(Array)>);

/// Everything that can make a drawing out of date without the page noticing.
struct Watches {
    size: Option<(ResizeObserver, Closure<dyn FnMut()>)>,
    sight: Option<Sight>,
    _scheme: Option<EventListener>,
    density: RefCell<Option<EventListener>>,
}

impl Drop for Watches {
    fn drop(&mut self) {
        if let Some((observer, _)) = &self.size {
            observer.disconnect();
        }
        if let Some((observer, _)) = &self.sight {
            observer.disconnect();
        }
    }
}

impl Painter {
    /// A painter for a canvas; `on_failure` is called when what draws cannot be fetched or will not draw.
    pub fn new(canvas: HtmlCanvasElement, on_failure: impl Fn() + 'static) -> Rc<Painter> {
        let painter = Rc::new(Painter {
            canvas,
            chart: RefCell::default(),
            visible: Cell::new(false),
            waiting: Cell::new(false),
            frame: RefCell::default(),
            on_failure: Box::new(on_failure),
            watches: RefCell::default(),
        });
        *painter.watches.borrow_mut() = Some(Watches {
            size: painter.watch_size(),
            sight: painter.watch_sight(),
            _scheme: painter.watch_media("(prefers-color-scheme: dark)", |painter| painter.ask_for_frame()),
            density: RefCell::default(),
        });
        painter.watch_density();
        painter
    }

    /// Draws this from now on.
    pub fn show(self: &Rc<Self>, chart: Rc<Chart>) {
        *self.chart.borrow_mut() = Some(chart);
        self.ask_for_frame();
    }

    /// Draws in the next frame, unless that will happen anyway or nobody would see it.
    fn ask_for_frame(self: &Rc<Self>) {
        if !self.visible.get() || self.waiting.replace(true) {
            return;
        }
        let painter = Rc::downgrade(self);
        *self.frame.borrow_mut() = Some(request_animation_frame(move |_| {
            spawn_local(async move {
                // Asked for again meanwhile, the drawing shows whatever is there once what draws has come.
                let fetched = charts::fetch().await;
                let Some(painter) = painter.upgrade() else { return };
                painter.waiting.set(false);
                if fetched.is_err() || painter.draw().await.is_err() {
                    (painter.on_failure)();
                }
            });
        }));
    }

    async fn draw(&self) -> Result<(), charts::NotDrawn> {
        let chart = self.chart.borrow().clone();
        let size = self.canvas.get_bounding_client_rect();
        match chart {
            Some(chart) if size.width() >= 1.0 && size.height() >= 1.0 => {
                charts::paint(self.canvas.clone(), chart).await
            }
            _ => Ok(()),
        }
    }

    fn watch_size(self: &Rc<Self>) -> Option<(ResizeObserver, Closure<dyn FnMut()>)> {
        let painter = Rc::downgrade(self);
        let callback = Closure::<dyn FnMut()>::new(move || {
            if let Some(painter) = painter.upgrade() {
                painter.ask_for_frame();
            }
        });
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        observer.observe(&self.canvas);
        Some((observer, callback))
    }

    fn watch_sight(self: &Rc<Self>) -> Option<Sight> {
        let painter = Rc::downgrade(self);
        let callback = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
            let last = entries.at(-1).unchecked_into::<IntersectionObserverEntry>();
            if let Some(painter) = painter.upgrade() {
                painter.visible.set(last.is_intersecting());
                painter.ask_for_frame();
            }
        });
        let observer = IntersectionObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        observer.observe(&self.canvas);
        Some((observer, callback))
    }

    fn watch_media(self: &Rc<Self>, query: &str, then: fn(&Rc<Self>)) -> Option<EventListener> {
        let painter = Rc::downgrade(self);
        let list = window().match_media(query).ok().flatten()?;
        Some(EventListener::new(&list, "change", move |_| {
            if let Some(painter) = painter.upgrade() {
                then(&painter);
            }
        }))
    }

    /// A query can only ask for one density: it is put anew whenever that one has changed.
    fn watch_density(self: &Rc<Self>) {
        let query = format!("(resolution: {}dppx)", window().device_pixel_ratio());
        let listener = self.watch_media(&query, |painter| {
            painter.watch_density();
            painter.ask_for_frame();
        });
        if let Some(watches) = self.watches.borrow().as_ref() {
            watches.density.replace(listener);
        }
    }
}
