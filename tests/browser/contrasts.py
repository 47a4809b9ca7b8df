"""How far the texts of a page stand out from their ground, by WCAG 2.2."""

from __future__ import annotations

from playwright.sync_api import Page


def weak_texts(page: Page, least: int = 50) -> list[tuple[str, float]]:
    """The texts with a contrast below 4.5 to 1, which 1.4.3 asks for, and what they have; of `least` texts or more."""
    found = page.evaluate(CONTRASTS)
    assert len(found) >= least, "it measures nothing"
    return [(text, ratio) for text, ratio in found if ratio < 4.5]


CONTRASTS = """() => {
  const parts = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = node => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement, text = walk.currentNode.data.trim();
    if (!text || ['STYLE'].includes(node.tagName)) continue;
    const [a, b] = [light(parts(getComputedStyle(node).color)), light(ground(node))].sort((x, y) => y - x);
    found.push([text.slice(0, 40), (a + 0.05) / (b + 0.05)]);
  }
  return found;
}"""
