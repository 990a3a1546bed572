"""Reads a report and a live page in headless Chromium, as a person would: on a desk, on a telephone, in the dark.

    report_in_browser.py PROGRAM TESTS [--screenshots FOLDER [--store STORE]]

PROGRAM is `ridgeline`, TESTS the test program that leaves a simulated store. What fails is printed; the exit status
is 1 then. With --screenshots, the pictures of the README are taken and nothing is tested.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser as browsers  # noqa: E402

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print('failed: ' + what)


def becomes(page, script, what):
    """Links within a page are followed after the click that asks for it."""
    end = time.monotonic() + 20
    while not page.run(script) and time.monotonic() < end:
        time.sleep(0.05)
    check(page.run(script), what)


def store_in(folder, tests):
    path = os.path.join(folder, 'simulated.db')
    subprocess.run([tests, '--gtest_filter=LeftStore.*', '--gtest_brief=1'], check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, RIDGELINE_REPORT_STORE=path))
    return path


def report_of(program, store, folder):
    path = os.path.join(folder, 'report.html')
    subprocess.run([program, 'compare', store, '--html', path], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return 'file://' + path


# The text colour against the nearest background that is not transparent, over all that shows text; WCAG's ratio.
CONTRAST = '''(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = colour => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour[3] > 200) return colour;
    }
    return [255, 255, 255];
  };
  const worst = {}, walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element.checkVisibility() || /SCRIPT|STYLE/.test(element.tagName)) continue;
    const style = getComputedStyle(element), inSvg = element.ownerSVGElement;
    const a = light(rgb(inSvg ? style.fill : style.color)), b = light(behind(element));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const name = element.tagName + '.' + element.getAttribute('class');
    if (ratio < 4.5 && !(worst[name] < ratio)) worst[name] = ratio;
  }
  return worst;
})()'''


def legible(page, where):
    for name, ratio in page.run(CONTRAST).items():
        check(False, '%s: the text of %s has a contrast of %.2f' % (where, name, ratio))


def fits(page, where, width):
    check(page.run('document.documentElement.scrollWidth') <= width, where + ' is wider than the screen')
    wide = page.run('''[...document.querySelectorAll('body *')].filter(e => e.checkVisibility()
        && !e.closest('.scroll, pre, svg') && e.getBoundingClientRect().right > innerWidth + 1)
        .map(e => e.tagName + '.' + e.className).slice(0, 3)''')
    check(not wide, '%s: beyond the edge: %s' % (where, wide))


def quiet(page, where, address):
    check(not page.errors, '%s: the console says %s' % (where, page.errors))
    outside = [each for each in page.events if not each.startswith((address, 'data:', 'about:'))]
    check(not outside, '%s asks for %s' % (where, outside))


def column(page, table, number):
    return page.run('[...document.getElementById(%s).tBodies[0].rows].filter(row => !row.hidden)'
                    '.map(row => row.cells[%d].textContent)' % (json.dumps(table), number))


def on_a_desk(page, address):
    page.open(address)
    quiet(page, 'the report', address)
    legible(page, 'the report')
    fits(page, 'the report', 1280)
    check(re.search('is better than|No difference', page.run("document.querySelector('.conclusion').innerText")),
          'the report begins with what follows')

    before = column(page, 'task-table', 2)
    page.click('#task-table thead th:nth-child(3) button')
    numbers = [float(re.sub('[^0-9.]', '', each) or -1) for each in column(page, 'task-table', 2)]
    check(numbers == sorted(numbers, reverse=True) and sorted(before) == sorted(column(page, 'task-table', 2)),
          'a click on a head sorts, the largest first')
    page.click('#task-table thead th:nth-child(3) button')
    numbers = [float(re.sub('[^0-9.]', '', each) or -1) for each in column(page, 'task-table', 2)]
    check(numbers == sorted(numbers), 'a second click turns the order')

    page.press('/')
    check(page.run('document.activeElement.id') == 'filter-task-table', '/ goes to the filter of tasks')
    for letter in 'task_7':
        page.press(letter)
    check(column(page, 'task-table', 0) == ['task_7'], 'typing filters')
    page.press('Escape')
    check(len(column(page, 'task-table', 0)) == 24, 'Escape empties the filter')
    page.click("[data-filter='\"Category 3\"']")
    check(set(column(page, 'task-table', 1)) == {'Category 3'}, 'a category leads to its tasks')

    page.run("location.hash = '#half-%'; new Promise(done => addEventListener('hashchange', done, {once: true}))")
    quiet(page, 'the sorted report', address)
    page.open(address)
    page.run("document.getElementById('budget-0').focus()")
    page.press('ArrowRight')
    shown = page.run("[...document.querySelectorAll('#budgets .chosen > div')].map(e => e.checkVisibility())")
    check(shown[:3] == [False, True, False], 'the arrow keys choose another budget')
    page.click('label[for=budget-2]')
    shown = page.run("[...document.querySelectorAll('#budgets .chosen > div')].map(e => e.checkVisibility())")
    check(shown[:3] == [False, False, True], 'a click chooses another budget')

    dot = "#pairs .chosen > div:first-child svg a"
    task = page.run('document.querySelector(%s).getAttribute("href").slice(1)' % json.dumps(dot))
    page.run('document.querySelector(%s).focus()' % json.dumps(dot))
    page.press('Enter')
    becomes(page, 'document.getElementById(%s).open' % json.dumps(task), 'Enter on a dot opens its task')
    inner = page.run('(document.querySelector("#%s .chips a") || {hash: ""}).hash.slice(1)' % task)
    # Following the first link scrolls, maybe only now: the pointer could miss.
    becomes(page, 'document.activeElement.closest("#%s") !== null' % task, 'the focus goes to the task')
    page.click('#%s .chips a' % task)
    becomes(page, 'document.getElementById(%s).open' % json.dumps(inner), 'a click on a trajectory opens it')
    page.run('document.querySelectorAll("#%s details").forEach(each => each.open = true)' % inner)
    text = page.run('document.getElementById(%s).innerText' % json.dumps(inner))
    for part in ('prompt', 'what changed', 'raw samples', 'kernel, us:'):
        check(part in text, 'a trajectory shows its ' + part)
    legible(page, 'a trajectory')
    quiet(page, 'the report', address)


def left_out(page, address):
    """A trajectory that is not in the file: its command is shown."""
    page.open(address)
    page.run("document.querySelectorAll('details.task').forEach(each => each.open = true)")
    if page.run("document.querySelector('.chips b') !== null"):
        page.click('.chips b')
        check(re.fullmatch(r'ridgeline show \S+ \d+', page.run("document.getElementById('hint').textContent")),
              'a click on a trajectory that is left out shows its command')
    else:
        check(False, 'the simulated store is too large for one file')


def elsewhere(page, address):
    for width, dark in ((390, False), (390, True), (1280, True)):
        where = 'at %d pixels%s' % (width, ', dark,' if dark else '')
        page.open(address, width=width, height=844, dark=dark)
        fits(page, 'the report ' + where, width)
        legible(page, 'the report ' + where)
        page.run("document.querySelectorAll('details').forEach(each => each.open = true)")
        fits(page, 'the open report ' + where, width)
        quiet(page, 'the report ' + where, address)
        small = page.run('''Math.min(...[...document.querySelectorAll('svg.chart text')]
            .filter(e => e.checkVisibility()).map(e => e.getBoundingClientRect().height))''')
        check(small >= 8, '%s: the smallest text of a chart is %.1f pixels high' % (where, small))


def without_scripts(page, address):
    page.call('Emulation.setScriptExecutionDisabled', value=True)
    page.open(address)
    page.call('Emulation.setScriptExecutionDisabled', value=False)
    text = page.run('document.body.innerText')
    for part in ('strategies at equal budget', 'task_7', 'What a budget buys', 'Roofs as measured'):
        check(part in text, 'without scripts the report shows: ' + part)


def live(page, program, store):
    served = subprocess.Popen([program, 'serve', store, '--port', '0', '--json'], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    try:
        line = ''
        while 'http' not in line:
            line = served.stdout.readline()
        address = re.search(r'http://[^"\s]+', line).group(0)
        page.open(address)
        becomes(page, "document.querySelector('#task-table') !== null", 'the live page gets its comparison')
        check(page.run("document.querySelectorAll('#task-table th button').length > 3"), 'live tables can be sorted')
        page.click('label[for=budget-1]')
        legible(page, 'the live page')
        fits(page, 'the live page', 1280)
        target = page.run("document.querySelector('.chips a').getAttribute('href')")
        check(re.fullmatch(r'/trajectory/\d+', target), 'over serve every trajectory has a page')
        quiet(page, 'the live page', address)
        page.open(address.rstrip('/') + target, width=390)
        fits(page, 'the page of a trajectory', 390)
        legible(page, 'the page of a trajectory')
        quiet(page, 'the page of a trajectory', address)
    finally:
        served.terminate()
        served.wait()


def pictures(page, address, folder):
    os.makedirs(folder, exist_ok=True)
    page.open(address, height=1150)
    page.screenshot(os.path.join(folder, 'report.webp'))
    page.open(address + '#categories', height=900, dark=True)
    page.screenshot(os.path.join(folder, 'report-dark.webp'))
    page.open(address, width=390, height=844)
    page.screenshot(os.path.join(folder, 'report-narrow.webp'))


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument('program')
    words.add_argument('tests')
    words.add_argument('--screenshots', metavar='FOLDER')
    words.add_argument('--store', help='whose report is shown in them (default: a simulated one)')
    asked = words.parse_args()
    found = browsers.find()
    if not found:
        sys.exit('no Chromium here; `./dev report` installs one')
    page = browsers.Browser(found)
    try:
        with tempfile.TemporaryDirectory() as folder:
            store = asked.store or store_in(folder, os.path.abspath(asked.tests))
            address = report_of(asked.program, store, folder)
            if asked.screenshots:
                pictures(page, address, asked.screenshots)
                return
            on_a_desk(page, address)
            left_out(page, address)
            elsewhere(page, address)
            without_scripts(page, address)
            live(page, asked.program, store)
    finally:
        page.close()
    print('report in a browser: %s' % ('%d failed' % len(failures) if failures else 'passed'))
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()
