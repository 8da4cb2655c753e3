// The expressions and steps that several tests of the page share.

/** The module's current view, as an expression; the page's copy is updated once per frame. */
export const now = "JSON.parse(window.sphero.say('view').text)";

/** Whether samples arrive, as an expression. */
export const isLive = "window.sphero.view().link === 'live'";

/** Returns the text of an element. */
export const text = (tab, id) => tab.value(`document.getElementById(${JSON.stringify(id)}).textContent`);

/** Waits until the session has ended and another one can begin. */
export const hasEnded = (tab) =>
  tab.until("the session has ended", "document.body.dataset.link === 'closed' && document.getElementById('simulate').checkVisibility()");
