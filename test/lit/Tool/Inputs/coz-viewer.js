// Loads a profile with the code of Coz's viewer and prints what it would plot:
// line, progress point, line speedup, program speedup.
const fs = require('fs');
const vm = require('vm');

const [viewer, profile] = process.argv.slice(2);
const sandbox = {};
vm.runInNewContext(fs.readFileSync(viewer, 'utf8') + '\nthis.Profile = Profile;', sandbox);
const warn = (title, text) => {
  console.error(`${title}: ${text}`);
  process.exitCode = 1;
};
const loaded = new sandbox.Profile(fs.readFileSync(profile, 'utf8'), null, null, () => 0, warn);
for (const line of loaded.getSpeedupData(1))
  for (const point of line.progress_points)
    for (const m of point.measurements)
      console.log(line.name, point.name, m.speedup, m.progress_speedup.toFixed(2));
