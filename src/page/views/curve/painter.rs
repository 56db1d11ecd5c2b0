//! When a curve is drawn: at most once a frame, and only while it can be seen.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use gloo::events::EventListener;
use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::utils::window;
use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{HtmlCanvasElement, IntersectionObserver, IntersectionObserverEntry, ResizeObserver};

use super::Picture;
use super::spec;

#[wasm_bindgen]
extern "C" {
    /// Fetches the module that draws, once; `static/boot.js` has it, which knows the module's address.
    #[wasm_bindgen(js_name = loadCurves, catch)]
    fn load_curves() -> Result<Promise, JsValue>;

    /// The module that draws.
    #[derive(Clone)]
    type Curves;

    /// Draws a chart on a canvas.
    #[wasm_bindgen(method, catch)]
    fn draw(this: &Curves, canvas: &HtmlCanvasElement, spec: &JsValue) -> Result<(), JsValue>;
}

/// Draws one canvas until it is dropped.
pub struct Painter {
    canvas: HtmlCanvasElement,
    picture: RefCell<Option<Rc<Picture>>>,
    module: RefCell<Module>,
    visible: Cell<bool>,
    waiting: Cell<bool>,
    frame: RefCell<Option<AnimationFrame>>,
    on_failure: Box<dyn Fn()>,
    watches: RefCell<Option<Watches>>,
}

enum Module {
    NotAsked,
    OnItsWay,
    Here(Curves),
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
    /// A painter for a canvas; `on_failure` is called when the module cannot be had or will not draw.
    pub fn new(canvas: HtmlCanvasElement, on_failure: impl Fn() + 'static) -> Rc<Painter> {
        let painter = Rc::new(Painter {
            canvas,
            picture: RefCell::default(),
            module: RefCell::new(Module::NotAsked),
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
    pub fn show(self: &Rc<Self>, picture: Rc<Picture>) {
        *self.picture.borrow_mut() = Some(picture);
        self.ask_for_frame();
    }

    /// Draws in the next frame, unless that will happen anyway or nobody would see it.
    fn ask_for_frame(self: &Rc<Self>) {
        if !self.visible.get() || self.waiting.replace(true) {
            return;
        }
        let painter = Rc::downgrade(self);
        *self.frame.borrow_mut() = Some(request_animation_frame(move |_| {
            if let Some(painter) = painter.upgrade() {
                painter.waiting.set(false);
                painter.draw();
            }
        }));
    }

    fn draw(self: &Rc<Self>) {
        let module = match &*self.module.borrow() {
            Module::Here(module) => module.clone(),
            Module::OnItsWay => return,
            Module::NotAsked => {
                spawn_local(fetch(Rc::downgrade(self)));
                return;
            }
        };
        let picture = self.picture.borrow().clone();
        let size = self.canvas.get_bounding_client_rect();
        let style = window().get_computed_style(&self.canvas).ok().flatten();
        if let (Some(picture), Some(style)) = (picture, style)
            && size.width() >= 1.0
            && size.height() >= 1.0
        {
            let size = (size.width(), size.height());
            let drawn = spec::with_spec(&picture, size, window().device_pixel_ratio(), &style, |spec| {
                module.draw(&self.canvas, spec)
            });
            if drawn.is_err() {
                (self.on_failure)();
            }
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

/// Fetches the module on behalf of a painter, which may be gone by the time it comes.
async fn fetch(painter: Weak<Painter>) {
    let Some(asking) = painter.upgrade() else { return };
    *asking.module.borrow_mut() = Module::OnItsWay;
    drop(asking);
    let module = match load_curves() {
        Ok(promise) => JsFuture::from(promise).await,
        Err(error) => Err(error),
    };
    let Some(painter) = painter.upgrade() else { return };
    match module {
        Ok(module) => {
            *painter.module.borrow_mut() = Module::Here(module.unchecked_into());
            painter.ask_for_frame();
        }
        Err(_) => (painter.on_failure)(),
    }
}
