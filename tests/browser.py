"""Drives a headless Chromium over its pipe (the DevTools protocol), with Python's own library alone."""
import base64
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')


def find():
    """The browser's path; None if there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page of one browser. `errors` collects what its console complains about."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix='ridgeline-browser-')
        # The browser reads orders from descriptor 3 and writes answers to 4, each ended by a zero byte.
        read, self.orders = os.pipe()
        self.answers, write = os.pipe()

        def connect():
            # Away from 3 and 4 first, since one of the two may be the other's number.
            ours, theirs = os.dup2(read, 100), os.dup2(write, 101)
            os.dup2(ours, 3)
            os.dup2(theirs, 4)

        flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
                 '--remote-debugging-pipe', '--hide-scrollbars', '--user-data-dir=' + self.folder]
        self.process = subprocess.Popen([program, *flags, 'about:blank'], preexec_fn=connect, close_fds=False,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self.count, self.rest, self.session = 0, b'', None
        self.errors, self.events = [], []
        targets = self.call('Target.getTargets')['targetInfos']
        page = next(target for target in targets if target['type'] == 'page')
        self.session = self.call('Target.attachToTarget', targetId=page['targetId'], flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(domain + '.enable')

    def close(self):
        # Asked first: killed, it would leave its own children behind.
        self.session = None
        try:
            self.call('Browser.close')
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.orders)
        os.close(self.answers)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self):
        while b'\0' not in self.rest:
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise RuntimeError('the browser ended')
            self.rest += more
        message, self.rest = self.rest.split(b'\0', 1)
        message = json.loads(message)
        method, content = message.get('method'), message.get('params', {})
        if method == 'Runtime.exceptionThrown':
            self.errors.append(content['exceptionDetails'].get('exception', {}).get('description', 'exception'))
        if method == 'Runtime.consoleAPICalled' and content['type'] in ('error', 'warning'):
            self.errors.append(str([each.get('value') for each in content['args']]))
        if method == 'Log.entryAdded' and content['entry']['level'] in ('error', 'warning'):
            self.errors.append(content['entry']['text'] + ' ' + content['entry'].get('url', ''))
        if method == 'Network.requestWillBeSent':
            self.events.append(content['request']['url'])
        return message

    def call(self, method, **content):
        self.count += 1
        order = {'id': self.count, 'method': method, 'params': content}
        if self.session:
            order['sessionId'] = self.session
        os.write(self.orders, json.dumps(order).encode() + b'\0')
        while True:
            message = self._read()
            if message.get('id') == self.count:
                if 'error' in message:
                    raise RuntimeError('%s: %s' % (method, message['error']['message']))
                return message['result']

    def open(self, address, width=1280, height=900, dark=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        scheme = 'dark' if dark else 'light'
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])
        self.call('Page.navigate', url='about:blank')  # so that a fragment alone loads the page again
        self.errors, self.events = [], []
        self.call('Page.navigate', url=address)
        while self._read().get('method') != 'Page.loadEventFired':
            pass

    def run(self, script):
        """The value of an expression in the page; a promise is awaited."""
        result = self.call('Runtime.evaluate', expression=script, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(script + ': ' + str(result['exceptionDetails'].get('exception', {}).get('description')))
        return result['result'].get('value')

    def press(self, key, text=''):
        codes = {'Enter': 13, 'Escape': 27, 'Tab': 9, 'ArrowRight': 39, ' ': 32}
        content = {'key': key, 'windowsVirtualKeyCode': codes.get(key, ord(key[0].upper()))}
        if text or len(key) == 1 or key == 'Enter':
            content['text'] = text or ('\r' if key == 'Enter' else key)
        self.call('Input.dispatchKeyEvent', type='keyDown', **content)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key,
                  windowsVirtualKeyCode=content['windowsVirtualKeyCode'])

    def click(self, selector):
        """Clicks the middle of the first such element, as a pointer does."""
        place = self.run('''(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});
            const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()'''
                         % json.dumps(selector))
        for kind in ('mousePressed', 'mouseReleased'):
            self.call('Input.dispatchMouseEvent', type=kind, x=place[0], y=place[1], button='left', clickCount=1)

    def screenshot(self, path, whole=False, clip=None):
        options = {'captureBeyondViewport': whole}
        if clip:
            options['clip'] = dict(zip(('x', 'y', 'width', 'height'), clip), scale=1)
        kind = 'webp' if path.endswith('.webp') else 'png'
        if kind == 'webp':
            options['quality'] = 80
        data = self.call('Page.captureScreenshot', format=kind, **options)['data']
        with open(path, 'wb') as file:
            file.write(base64.b64decode(data))
