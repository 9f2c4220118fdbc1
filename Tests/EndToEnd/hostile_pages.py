"""Documents that attack the cloud from a browser: a script, in a page and in an image, and a server of another origin for them."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from botocore.auth import SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from clients import client

# Reports one line for each attempt: what the script could read, or the name of its error.
SCRIPT = """
const report = window.report = {}
const attempt = async (name, act) => { try { report[name] = String(await act()) } catch (error) { report[name] = error.name } }
const made = (name, attributes) => {
  const element = document.createElementNS('http://www.w3.org/1999/xhtml', name)
  Object.assign(element, attributes)
  ;(document.body ?? document.documentElement).append(element)
  return element
}
const loaded = element => new Promise(resolve => { element.onload = element.onerror = () => resolve() })
const framed = async url => {
  const frame = made('iframe', {src: url})
  await loaded(frame)
  const text = frame.contentDocument ? frame.contentDocument.documentElement.textContent : 'opaque'
  frame.remove()
  return text
}
const opened = async url => {
  const tab = window.open(url)
  for (let round = 0; round < 200; round++) {
    await new Promise(resolve => setTimeout(resolve, 10))
    // A document of another origin is there as soon as it cannot be read.
    if (tab.document.readyState === 'complete' && tab.location.href !== 'about:blank') break
  }
  return tab.document.documentElement.textContent
}
const filled = (url, type, target, fields) => {
  const form = made('form', {method: 'post', action: url, target, enctype: type})
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElementNS('http://www.w3.org/1999/xhtml', 'input')
    Object.assign(input, {name, value})
    form.append(input)
  }
  return form
}
const posted = async (url, type, fields) => {
  const frame = made('iframe', {name: 'answer' + Math.random()})
  const form = filled(url, type, frame.name, fields)
  const done = loaded(frame)
  form.submit()
  await done
  return frame.contentDocument ? frame.contentDocument.documentElement.textContent : 'opaque'
}
const text = async (url, options) => (await fetch(url, options)).text()
const attack = async plan => {
  const {cloud, control, login, form, calls, worker} = plan
  const plain = (body, mode) => ({method: 'POST', body, mode, credentials: 'include'})
  for (const mode of ['cors', 'no-cors']) {
    await attempt('reset ' + mode, () => text(control + '/reset', plain('', mode)))
    await attempt('journal ' + mode, () => text(control + '/journal', {mode, credentials: 'include'}))
    await attempt('token ' + mode, () => text(control + '/tokens', plain('{"provider":"company","user":"alice"}', mode)))
    await attempt('clock ' + mode, () => text(control + '/clock', plain('{"age":"PT1H"}', mode)))
    await attempt('login ' + mode, () => text(login, {mode, credentials: 'include'}))
  }
  await attempt('token preflight', () => text(control + '/tokens', {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"provider":"company","user":"alice"}'}))
  await attempt('bearer preflight', () => text(control + '/reset', {method: 'POST', headers: {Authorization: 'Bearer guess'}}))
  await attempt('journal frame', () => framed(control + '/journal'))
  await attempt('login frame', () => framed(login))
  await attempt('journal window', () => opened(control + '/journal'))
  await attempt('login window', () => opened(login))
  await attempt('reset form', () => posted(control + '/reset', 'text/plain', {a: 'b'}))
  await attempt('clock form', () => posted(control + '/clock', 'text/plain', {'{"age":"PT1H","x': '":1}'}))
  await attempt('login form', () => {
    filled(cloud + '/idp/company/sign-in', 'application/x-www-form-urlencoded', '_blank', {form, person: 'alice'}).submit()
    return 'sent'
  })
  await attempt('call image', async () => { const image = made('img', {src: calls.GET}); await loaded(image); return 'sent' })
  await attempt('call fetch', () => text(calls.POST, {method: 'POST', mode: 'no-cors', body: ''}))
  await attempt('worker', async () => (await navigator.serviceWorker.register(worker)).scope)
  await attempt('cookies', () => document.cookie)
  await attempt('storage', () => { localStorage.setItem('a', 'kept'); return localStorage.getItem('a') })
  window.finished = true
}
"""

KINDS = {"html": "text/html", "svg": "image/svg+xml"}


def document(kind, plan):
    """The script, as an HTML page or as an SVG image."""
    script = SCRIPT + f"attack({json.dumps(plan)})"
    if kind == "html":
        return f"<!doctype html><title>hostile</title><body><script>{script}</script></body>"
    return f"""<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[{script}]]></script></svg>"""


@contextmanager
def foreign_site():
    """A site of another origin. Yields its URL, and the pages that it serves by their paths."""
    pages = {}

    class Site(BaseHTTPRequestHandler):
        def do_GET(self):
            page = pages.get(self.path)
            self.send_response(200 if page else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write((page or "").encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port, pages
    finally:
        server.shutdown()
        server.server_close()


def signed_call(cloud, method="GET", **parameters):
    """The URL of an IAM call that is signed in its query with the well-known keys."""
    query = "&".join(f"{name}={value}" for name, value in ({"Version": "2010-05-08"} | parameters).items())
    request = AWSRequest(method=method, url=f"{cloud.url}/?{query}")
    SigV4QueryAuth(Credentials("test", "test"), "iam", "us-east-1", expires=600).add_auth(request)
    return request.url


def upload_form(cloud, bucket, key, content, redirect=None, **credentials):
    """A page that uploads an object with a form signed in advance, and shows the response."""
    fields = {"Content-Type": "text/html"} | ({"success_action_redirect": redirect} if redirect else {})
    form = client(cloud, "s3", **credentials).generate_presigned_post(
        bucket, key, Fields=fields, Conditions=[{name: value} for name, value in fields.items()])
    inputs = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in form["fields"].items())
    return f"""<!doctype html><title>upload</title>
        <form method="post" enctype="multipart/form-data" action="{form["url"]}">{inputs}
        <textarea name="file">{content}</textarea><button name="go" value="1">Go</button></form>"""
