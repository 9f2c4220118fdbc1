"""Walks through the Playground of the web console without scripts."""

from contextlib import contextmanager

from lxml import html

from cloud import REPOSITORY, Cloud
from console import Reader


@contextmanager
def serving(*names):
    """A cloud with these seeds of the repository."""
    arguments = [argument for name in names for argument in ("--seed", REPOSITORY / "seed" / f"{name}.json5")]
    with Cloud.ephemeral(*arguments) as cloud:
        yield cloud
        assert cloud.stop() == 0, cloud.logged()


class Walker(Reader):
    """A reader of one walk."""

    def form(self, action, **fields):
        """Sends the first form with these hidden or preset fields to an action of the walk or of the page."""
        def fits(form):
            given = form["fields"]
            return form["action"].rsplit("/", 1)[-1] == action and all(given.get(name) == value for name, value in fields.items())

        forms = [form for form in self.page.forms if fits(form)]
        assert forms, f"no form for {action} with {fields}: {[(form['action'], form['fields']) for form in self.page.forms]}"
        return forms[0]

    def start(self, path, **fields):
        """Opens the Playground at a path and starts the walk whose form has these fields."""
        chosen = fields.pop("person", None)
        self.open(f"playground?path={path}")
        form = self.form("start", path=path, **fields)
        return self.send(form, **({"person": chosen} if chosen else {}))

    def act(self, action, **fields):
        """Sends the first form of an action with these values."""
        return self.send(self.form(action), **fields)

    def send(self, form, **fields):
        origin = "/".join(self.page.url.split("/")[:3])
        answer = self._at(self.session.post(form["action"], data=form["fields"] | fields, headers={"Origin": origin}))
        assert self.status == 200, (self.status, form["action"], answer.text)
        return answer

    @property
    def shown(self):
        """The text of the page without the journal's and form's markup."""
        return html.fromstring(self.page.text).text_content()

    def code(self, identifier):
        [block] = html.fromstring(self.page.text).xpath(f"//pre[@id='{identifier}']")
        return block.text_content()

    def experiments(self):
        return [form["fields"]["experiment"] for form in self.page.forms if form["action"].endswith("/break")]

    def break_everything(self):
        """Runs every experiment, and returns those whose code is not the expected one."""
        names = self.experiments()
        assert names
        for name in names:
            self.send(self.form("break", experiment=name))
        document = html.fromstring(self.page.text)
        rows = {name: document.xpath(f"//tr[@id='try-{name}']")[0].text_content() for name in names}
        assert not [name for name, row in rows.items() if "not run" in row]
        return {name: row for name, row in rows.items() if "not as expected" in row}

    def undo(self, cloud):
        self.act("undo")
        assert "Everything is as it was before." in self.page.text
        assert cloud.control("GET", "clock")["ages"] == [] and cloud.control("GET", "faults")["faults"] == []
