'use strict';
// Draws the charts that parcast specified: data and Vega-Lite specifications stand in the page as JSON.
(() => {
  const page = JSON.parse(document.getElementById('parcast-data').textContent);
  const places = [...document.querySelectorAll('[data-chart]')];

  const specification = (name, axis) => {
    const chart = structuredClone(page.charts[name]);
    if (axis && chart.usermeta && chart.usermeta.over) {
      Object.assign(chart.encoding.x, page.axes[axis]);
      if (axis === 'nodes') chart.transform = [{ filter: 'datum.best_of_nodes !== false' }];
    }
    return { ...chart, datasets: page.datasets, config: page.config };
  };

  const draw = async (place, axis) => {
    try {
      await vegaEmbed(place, specification(place.dataset.chart, axis), { renderer: 'svg', actions: false, ast: true });
      place.dataset.drawn = 'yes';
    } catch (cause) {
      place.textContent = `This chart could not be drawn (${cause.message}); the table holds its numbers.`;
      place.dataset.drawn = 'no';
    }
  };

  const choices = [...document.querySelectorAll('input[name="over"]')];
  for (const place of places) draw(place, choices.find((choice) => choice.checked)?.value);
  for (const choice of choices)
    choice.addEventListener('change', () => {
      for (const place of places) if (page.charts[place.dataset.chart].usermeta?.over) draw(place, choice.value);
    });
  window.addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
})();
