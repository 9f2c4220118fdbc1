// The script of the console. Pages work without it: it adds live rows, copying, countdowns and questions before destructive buttons.
// Every node is created by name and text; nothing is parsed as HTML.
(() => {
  'use strict'
  const token = document.querySelector('meta[name=virga-token]')?.content
  const live = document.getElementById('live')
  const all = selector => document.querySelectorAll(selector)
  const say = text => { if (live) live.textContent = text }

  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
    node.append(...children)
    return node
  }

  // Characters that control a terminal or change the direction of text are shown as the server shows them.
  const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
  const visible = (text, limit = 400) => {
    const characters = Array.from(String(text).slice(0, 4 * limit + 4))
    const shown = characters.length > limit ? characters.slice(0, limit).join('') + '…' : characters.join('')
    return shown.replace(hidden, character =>
      Array.from(new TextEncoder().encode(character), byte => '%' + byte.toString(16).toUpperCase().padStart(2, '0')).join(''))
  }
  const value = (text, limit) => make('bdi', {}, visible(text, limit))
  // A name of several parts, such as an ARN: lines break after its slashes and colons.
  const parts = (text, limit) => {
    const node = make('bdi')
    for (const piece of visible(text, limit).split(/(?<=[/:])/)) {
      node.append(piece)
      if (/[/:]$/.test(piece)) node.append(make('wbr'))
    }
    return node
  }

  // Copying. Browsers have no `navigator.clipboard` over plain HTTP, except at loopback.
  const copySelected = text => {
    const area = make('textarea', {class: 'sr', readonly: '', 'aria-hidden': 'true', tabindex: '-1'})
    const before = document.activeElement
    area.value = text
    document.body.append(area)
    area.select()
    try {
      if (!document.execCommand('copy')) throw new Error('copy')
    } finally {
      area.remove()
      before?.focus()
    }
  }
  const copy = async text => {
    if (!navigator.clipboard) return copySelected(text)
    try { await navigator.clipboard.writeText(text) } catch { copySelected(text) }
  }
  for (const button of all('[data-copy]')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset.copy)
      try {
        await copy(source.value ?? source.textContent)
        button.textContent = 'Copied'
        say('Copied')
      } catch {
        button.textContent = 'Select and copy'
        getSelection().selectAllChildren(source)
      }
      setTimeout(() => { button.textContent = 'Copy' }, 2000)
    })
  }

  // Questions before destructive buttons.
  for (const form of all('form[data-confirm]')) {
    form.addEventListener('submit', event => { if (!confirm(form.dataset.confirm)) event.preventDefault() })
  }

  // A form is sent once.
  for (const form of all('form[method=post]')) {
    form.addEventListener('submit', event => {
      if (event.defaultPrevented) return
      if (form.dataset.sent) event.preventDefault()
      form.dataset.sent = 'true'
    })
  }
  addEventListener('pageshow', () => {
    for (const form of all('form[data-sent]')) delete form.dataset.sent
    for (const field of all('form[data-filters] [disabled]')) field.disabled = false
  })

  // Filters apply when a choice changes.
  for (const form of all('form[data-filters]')) {
    form.addEventListener('change', event => { if (event.target.matches('select,input[type=checkbox]')) form.requestSubmit() })
    // Empty fields do not lengthen the URL.
    form.addEventListener('submit', () => {
      for (const field of form.elements) if (field.name && !field.value) field.disabled = true
    })
  }

  // The sandbox's time, counted from what the server rendered.
  const started = performance.now()
  const clock = document.querySelector('time[data-clock]')
  const base = clock ? Date.parse(clock.dateTime) : 0
  const now = () => base ? base + performance.now() - started : Date.parse(document.querySelector('.state time')?.dateTime ?? '') || Date.now()

  // On narrow screens the navigation scrolls sideways.
  const here = document.querySelector('.side [aria-current]')
  if (here) here.closest('ul').scrollLeft = here.offsetLeft - 40

  // An error is the first thing that a screen reader reads.
  document.querySelector('[data-focus]')?.focus()

  // Policies: what is picked from a list becomes a line of the field above.
  for (const input of all('input[data-adds]')) {
    const area = document.getElementById(input.dataset.adds)
    const add = () => {
      const picked = input.value.trim()
      input.value = ''
      if (picked && !area.value.split('\n').includes(picked)) area.value = [area.value.trimEnd(), picked].filter(Boolean).join('\n')
    }
    input.addEventListener('keydown', event => { if (event.key === 'Enter') { event.preventDefault(); add() } })
    input.addEventListener('change', add)
  }

  // Tokens: a JSON Web Token is decoded while it is typed. Nothing is sent before the button is pressed.
  const decoded = part => {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), character => character.charCodeAt(0))
    const value = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes))
    if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error('object')
    return value
  }
  const shown = json => JSON.stringify(json, null, 2).split('\n').slice(0, 400).map(line => visible(line, 2000)).join('\n')
  const block = (title, style, content) => {
    const box = make('div', {}, make('h3', {class: style}, title))
    box.append(content === null ? make('p', {class: 'bad'}, 'This part is not JSON in base64url.') : make('pre', {tabindex: '0', role: 'region', 'aria-label': title}, shown(content)))
    return box
  }
  const times = claims => ['iat', 'nbf', 'exp'].filter(name => typeof claims?.[name] === 'number' && Math.abs(claims[name]) < 2 ** 38).map(name => {
    const seconds = Math.round(claims[name] - now() / 1000)
    const size = Math.abs(seconds), [count, unit] = size < 120 ? [size, 's'] : size < 7200 ? [size / 60, 'min'] : size < 172800 ? [size / 3600, 'h'] : [size / 86400, 'd']
    const words = `${Math.floor(count)} ${unit}`
    return make('p', {}, make('code', {}, name), ` ${new Date(claims[name] * 1000).toISOString().slice(0, 19)}Z, ${seconds < 0 ? `${words} ago` : `in ${words}`}`)
  })
  for (const area of all('textarea[data-decode]')) {
    const view = document.getElementById(area.dataset.decode)
    const show = () => {
      const text = area.value.trim(), parts = text.split('.')
      view.hidden = parts.length !== 3 || text.length > 20000 || !/^[\w.-]+$/.test(text) || !parts[0]
      if (view.hidden) return view.replaceChildren()
      const [header, claims] = parts.slice(0, 2).map(part => { try { return decoded(part) } catch { return null } })
      if (header === null && claims === null) { view.hidden = true; return view.replaceChildren() }
      const token = make('pre', {class: 'jwt', tabindex: '0', role: 'region', 'aria-label': 'The three parts'})
      token.append(...parts.flatMap((part, index) => [index ? '.' : '', make('span', {class: ['one', 'two', 'three'][index]}, part)]))
      view.replaceChildren(token, make('div', {class: 'pair'}, block('Header', 'one', header), block('Claims', 'two', claims)),
        ...times(claims), make('p', {class: 'soft'}, parts[2] ? 'The signature is not verified here. Press Inspect to verify it.' : 'The signature is empty.'))
    }
    area.addEventListener('input', show)
    show()
  }

  // Keyboard shortcuts. A person whose tools send single characters can switch them off.
  const kept = 'virga-shortcuts'
  const areOff = () => { try { return localStorage.getItem(kept) === 'off' } catch { return false } }
  const keep = isOn => { try { localStorage.setItem(kept, isOn ? 'on' : 'off') } catch { /* The choice lasts as long as the page. */ } }
  const rooms = Array.from(all('.side a[data-key]'))
  const showShortcuts = () => {
    let dialog = document.getElementById('shortcuts')
    if (!dialog) {
      const line = (keys, text) => [make('dt', {}, ...keys.map(key => make('kbd', {}, key))), make('dd', {}, text)]
      const choice = make('input', {type: 'checkbox'})
      choice.checked = !areOff()
      choice.addEventListener('change', () => keep(choice.checked))
      const close = make('button', {type: 'button'}, 'Close')
      dialog = make('dialog', {id: 'shortcuts', 'aria-labelledby': 'shortcuts-title'},
        make('h2', {id: 'shortcuts-title'}, 'Keyboard shortcuts'),
        make('dl', {class: 'keys'}, ...line(['/'], 'Search'), ...line(['?'], 'This list'),
          ...rooms.flatMap(link => line(['g', link.dataset.key], link.textContent))),
        make('label', {class: 'choice'}, choice, 'Shortcuts are on'), close)
      close.addEventListener('click', () => dialog.close())
      document.body.append(dialog)
    }
    if (!dialog.open) dialog.showModal()
  }
  for (const button of all('[data-shortcuts]')) {
    button.hidden = false
    button.addEventListener('click', showShortcuts)
  }
  const search = () => {
    const field = document.querySelector('main input[name=q]') ?? document.querySelector('.find input')
    if (field?.offsetParent) { field.focus(); field.select() } else location.assign('/_virga/ui/search')
  }
  let isLeading = false
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || !rooms.length || areOff()) return
    if (event.target.closest?.('input:not([type=checkbox],[type=radio]),textarea,select,dialog')) return
    const link = isLeading && rooms.find(link => link.dataset.key === event.key)
    isLeading = !isLeading && event.key === 'g'
    if (link) link.click()
    else if (event.key === '?') showShortcuts()
    else if (event.key === '/') search()
    else return
    event.preventDefault()
  })

  // Mobile cloud: a choice shows its fields at once, and a chosen file fills a text field.
  for (const field of all('[data-apply]')) {
    const button = document.getElementById(field.dataset.apply)
    button.hidden = true
    field.addEventListener('change', () => field.form.requestSubmit(button))
  }
  for (const input of all('input[data-into]')) {
    input.hidden = false
    input.addEventListener('change', async () => {
      if (input.files[0]) document.getElementById(input.dataset.into).value = await input.files[0].text()
    })
  }

  // The clock and countdowns.
  const countdowns = Array.from(all('[data-remaining]'), node => ({node, end: Number(node.dataset.remaining), last: ''}))
  const remaining = seconds => {
    if (seconds <= 0) return 'expired'
    const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60, rest = Math.floor(seconds) % 60
    return 'expires in ' + (hours ? hours + ' h ' : '') + (hours || minutes ? minutes + ' min ' : '') + rest + ' s'
  }
  const tick = () => {
    const elapsed = performance.now() - started
    if (clock && base) clock.textContent = new Date(base + elapsed).toISOString().slice(0, 19).replace('T', ' ')
    for (const item of countdowns) {
      const text = remaining(item.end - (item.node.dataset.still ? 0 : elapsed / 1000))
      if (text !== item.last) item.node.textContent = item.last = text
      if (text === 'expired' && !item.said) { item.said = true; if (item.end > 0) say('expired') }
    }
  }
  if (clock || countdowns.length) { tick(); setInterval(tick, 1000) }

  // Playground: the token of the implicit flow is in the fragment, which browsers do not send.
  const fragment = document.querySelector('form[data-fragment]')
  if (fragment && location.hash.length > 1) {
    fragment.elements.address.value = location.href
    history.replaceState(null, '', location.pathname)
    fragment.requestSubmit()
  }
  // Sandboxes: the class view.
  const group = document.querySelector('[data-class]')
  const since = date => {
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(date)) / 1000))
    const [count, unit] = seconds < 60 ? [seconds, 's'] : seconds < 3600 ? [seconds / 60, 'min'] : [seconds / 3600, 'h']
    return `${Math.floor(count)} ${unit} ago`
  }
  const watch = async () => {
    if (document.hidden) return
    const state = document.getElementById('connection')
    try {
      const answer = await fetch(group.dataset.class, {headers: {'x-virga-console': token}, cache: 'no-store', redirect: 'error'})
      if (!answer.ok) throw new Error(answer.status)
      const {sandboxes} = await answer.json()
      // A reload would lose what is typed.
      const isTyping = document.activeElement?.matches('input, textarea, select') || [...document.querySelectorAll('main textarea')].some(field => field.value)
      if (sandboxes.length !== Number(group.dataset.count) && !isTyping) return location.reload()
      for (const {name, progress} of sandboxes) {
        const tile = group.querySelector(`[data-sandbox="${CSS.escape(name)}"]`)
        if (!tile || !progress) continue
        if (progress.active) tile.querySelector('[data-active]').textContent = since(progress.active)
        for (const item of tile.querySelectorAll('[data-step]')) {
          const isReached = progress.steps.includes(item.dataset.step)
          item.classList.toggle('reached', isReached)
          item.lastElementChild.textContent = ` ${item.title}: ${isReached ? 'yes' : 'not yet'}`
        }
        const refusal = progress.last_refusal
        tile.querySelector('[data-refusal]').replaceChildren(
          refusal ? value(`${refusal.operation}: ${refusal.error ?? 'refused'}`, 80) : '')
      }
      state.textContent = '· live'
    } catch { state.textContent = '· connection lost, trying again' }
  }
  if (group && token) { watch(); setInterval(watch, 2000) }

  // The journal.
  const list = document.querySelector('[data-live]')
  if (!list || !token) return
  const body = list.querySelector('tbody')
  const pause = document.querySelector('[data-pause]')
  const connection = document.getElementById('connection')
  const longest = 500
  let last = Number(list.dataset.last), first = Number(list.dataset.first), generation = list.dataset.generation
  let isPaused = false, isAsking = false

  const outcome = entry => {
    if (entry.reported) return ['warn', '!', 'would deny']
    if (entry.status === 0) return ['bad', '✗', 'cut off']
    if (entry.status < 400) return ['good', '✓', 'ok']
    if (entry.refused) return ['bad', '✗', 'denied']
    return ['warn', '!', entry.status >= 500 ? 'failed' : 'error']
  }

  const row = entry => {
    const path = entry.target.split('?')[0]
    const [kind, sign, word] = outcome(entry)
    const name = entry.operation ? `${entry.face} ${entry.operation}` : `${entry.face} ${entry.method} ${path}`
    const request = make('td', {}, make('a', {href: `/_virga/ui/journal/${Number(entry.number)}`}, value(name, 100)))
    if (entry.refused && entry.reason) request.append(make('p', {class: 'reason'}, value(entry.reason)))
    const decision = entry.decisions?.at(-1)
    const milliseconds = typeof entry.duration_ms === 'number' ? entry.duration_ms.toFixed(1) : ''
    return make('tr', {'data-number': entry.number, class: 'fresh'},
      make('td', {}, make('time', {datetime: entry.time}, entry.time.slice(11, 23))),
      make('td', {},
        make('span', {class: `outcome ${kind}`}, make('span', {'aria-hidden': 'true'}, sign), ` ${word}`), ' ',
        make('span', {class: 'soft'}, String(entry.status))),
      request,
      make('td', {}, parts(entry.caller ?? 'anonymous', 120)),
      make('td', {}, parts(decision?.resource ?? path, 160)),
      make('td', {class: 'number'}, milliseconds))
  }

  const divider = text => make('tr', {class: 'divider'}, make('td', {colspan: '6'}, text))

  const add = answer => {
    const isNew = String(answer.generation ?? generation) !== generation
    if (isNew || answer.first > first) {
      body.prepend(divider(isNew ? 'The cloud was reset' : 'The journal was emptied'))
      generation = String(answer.generation ?? generation)
    }
    first = answer.first ?? first
    for (const old of body.querySelectorAll('tr.fresh')) old.classList.remove('fresh')
    const entries = answer.entries.filter(entry => entry.number > last).reverse()
    for (const entry of entries) {
      // One entry that cannot be shown does not stop the list.
      try { body.prepend(row(entry)) } catch { body.prepend(divider(`Request ${Number(entry.number)} cannot be shown`)) }
    }
    last = Math.max(last, answer.last ?? 0, ...entries.map(entry => entry.number))
    while (body.rows.length > longest) body.lastElementChild.remove()
    if (entries.length) {
      document.getElementById('empty')?.remove()
      say(entries.length === 1 ? '1 new request' : `${entries.length} new requests`)
    }
  }

  const poll = async () => {
    if (isPaused || isAsking || document.hidden) return
    isAsking = true
    try {
      const url = new URL(list.dataset.live, location.href)
      url.searchParams.set('after', last)
      url.searchParams.set('limit', '200')
      const answer = await fetch(url, {headers: {'x-virga-console': token}, cache: 'no-store', redirect: 'error'})
      if (answer.status === 403 || answer.status === 401) {
        connection.textContent = 'This page is too old. Reload it to continue.'
        isPaused = true
      } else if (!answer.ok) {
        throw new Error(answer.status)
      } else {
        add(await answer.json())
        connection.textContent = 'live'
      }
    } catch {
      connection.textContent = 'Connection lost. Trying again…'
    } finally {
      isAsking = false
    }
  }

  pause.hidden = false
  pause.addEventListener('click', () => {
    isPaused = !isPaused
    pause.setAttribute('aria-pressed', String(isPaused))
    connection.textContent = isPaused ? 'paused' : 'live'
    if (!isPaused) poll()
  })
  connection.textContent = 'live'
  setInterval(poll, 1000)
  document.addEventListener('visibilitychange', poll)
  poll()
})()
