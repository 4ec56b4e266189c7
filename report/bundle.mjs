// Joins the minified chart libraries to one script for the page, with the licences of everything inside, and writes the
// page's content security policy. Run by CMake: node bundle.mjs NODE_MODULES GLUE.js OUTPUT_DIRECTORY
// The libraries are not changed beyond leaving out the reference to their source maps.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [modules, glueFile, output] = process.argv.slice(2);
const libraries = ['vega', 'vega-lite', 'vega-embed'];
const minified = (name) => join(modules, name, 'build', `${name}.min.js`);

// What a library contains is what its source map names.
function contents(name) {
  const map = JSON.parse(readFileSync(`${minified(name)}.map`, 'utf8'));
  const inside = map.sources.map((source) => source.match(/(?:.*node_modules\/|^(?:\.\.\/)+)([^/.]+)\//)?.[1]);
  return inside.filter((found) => found && existsSync(join(modules, found, 'package.json')));
}

function describe(name) {
  const { version, license } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
  const file = readdirSync(join(modules, name)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(modules, name, file), 'utf8').trim() : `Licence: ${license}`;
  return { title: libraries.includes(name) ? `${name} ${version} (${license})` : `${name} (${license})`, text };
}

const names = [...new Set([...libraries, ...libraries.flatMap(contents)])].sort();
const byText = new Map();
for (const { title, text } of names.map(describe)) byText.set(text, [...(byText.get(text) ?? []), title]);
const licences = [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}`).join('\n\n----\n\n').replaceAll('*/', '* /');
const scripts = libraries.map((name) => readFileSync(minified(name), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '').trim());
const bundle = `/*!\nThis script contains the following libraries.\n\n${licences}\n*/\n${scripts.join('\n;\n')}\n`;
const glue = readFileSync(glueFile, 'utf8');
for (const script of [bundle, glue])
  if (/<\/script|<!--/i.test(script)) throw new Error('a script that ends the element it stands in cannot be inlined');

const hash = (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
writeFileSync(join(output, 'bundle.js'), bundle);
writeFileSync(
  join(output, 'policy.txt'),
  `default-src 'none'; script-src ${hash(bundle)} ${hash(glue)}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`,
);
writeFileSync(join(output, 'libraries.txt'), names.map((name) => describe(name).title).join('\n') + '\n');
