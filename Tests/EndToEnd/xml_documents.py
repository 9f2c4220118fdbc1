"""Random documents with everything for which canonicalization has rules: namespaces that are declared, changed and removed, attributes
in any order, references, CDATA, comments, white space and line ends."""

import random
from xml.sax.saxutils import escape

ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion"
NAMESPACES = ["urn:a", "urn:b", "http://example.com/c", "http://www.w3.org/2000/09/xmldsig#", ASSERTION]
PREFIXES = ["", "a", "b", "ds", "saml", "x1"]
TEXTS = [
    "text", " ", "\n  ", "\t", "é", "日本", "😀", "&amp;", "&lt;", "&gt;", "&#13;", "&#xD;&#10;", "&#9;", "&quot;", "'", '"', "]] ", ">", "a\r\nb", "c\rd",
    "<![CDATA[<&>\r\n\"]]>", "<!-- a comment -->", "<!---->", "&#x10FFFF;", "\u0085", "\u2028", "&apos;",
]
VALUES = ["", "v", "two words", "é", "&#xA;", "&#x9;", "&#13;", "&quot;", "'", "&lt;", ">", "&amp;", "a\nb", "a\r\nb", "a\tb", "  spaced  ", "😀"]
NAMES = ["e", "f", "Name", "with-dash", "with.dot", "_x", "é", "z9"]


class Documents:
    """A stream of documents; the same seed gives the same ones."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0

    def document(self, signed=None):
        """A document of some depth.

        signed: text of an element `Assertion` with an `ID` at a random place; without it there is no such element.
        """
        self.signed = signed
        self.has_assertion = False
        depth = self.random.randint(1, 4)
        body = self.element({}, depth, must_hold=signed is not None)
        declaration = self.random.choice(["", '<?xml version="1.0"?>\n', '<?xml version="1.0" encoding="UTF-8"?>\r\n', "<!-- before -->\n"])
        return declaration + body + self.random.choice(["", "\n", "<!-- after -->"])

    def element(self, scope, depth, must_hold):
        chance = self.random
        declared = {}
        for prefix in PREFIXES:
            if chance.random() < 0.25:
                declared[prefix] = chance.choice(NAMESPACES)
        if scope.get("") and "" not in declared and chance.random() < 0.15:
            declared[""] = ""
        scope = {**scope, **declared}
        assertion = must_hold and depth <= 1 and not self.has_assertion
        if assertion:
            self.has_assertion = True
            prefix = chance.choice(["", "saml", "saml2"])
            if scope.get(prefix) != ASSERTION:
                declared[prefix] = scope[prefix] = ASSERTION
            name = "Assertion"
        else:
            # The prefix must be declared; the default namespace always is.
            prefix = chance.choice([""] + [p for p, uri in scope.items() if p and uri])
            name = chance.choice(NAMES)
        attributes = [f'xmlns{":" + p if p else ""}="{escape(uri)}"' for p, uri in declared.items()]
        if assertion:
            attributes.append('ID="signed"')
        used = set()
        for _ in range(chance.choice([0, 0, 1, 2, 4])):
            attribute_prefix = chance.choice(["", "", "xml"] + [p for p, uri in scope.items() if p and uri])
            attribute = chance.choice(["lang", "space", "base"] if attribute_prefix == "xml" else NAMES)
            expanded = (scope.get(attribute_prefix) if attribute_prefix else "", attribute_prefix == "xml", attribute)
            if expanded in used:
                continue
            used.add(expanded)
            value = chance.choice(["default", "preserve"]) if (attribute_prefix, attribute) == ("xml", "space") else chance.choice(VALUES)
            full = f"{attribute_prefix}:{attribute}" if attribute_prefix else attribute
            quote = "'" if '"' in value or (chance.random() < 0.3 and "'" not in value) else '"'
            attributes.append(f"{full}={quote}{value}{quote}")
        chance.shuffle(attributes)
        tag = f"{prefix}:{name}" if prefix else name
        space = chance.choice([" ", " ", "\n", "  "])
        start = "<" + space.join([tag] + attributes)
        content = []
        if assertion:
            content.append(self.signed)
        if depth > 0:
            holder = chance.randrange(3)
            for index in range(3):
                holds = must_hold and not assertion and index == holder
                if holds or chance.random() < 0.6:
                    content.append(self.element(scope, depth - 1, must_hold=holds))
                if chance.random() < 0.6:
                    content.append("".join(chance.choices(TEXTS, k=chance.randint(1, 4))))
            if must_hold and not assertion and not self.has_assertion:
                content.append(self.element(scope, 0, must_hold=True))
        elif chance.random() < 0.7:
            content.append("".join(chance.choices(TEXTS, k=chance.randint(1, 4))))
        joined = "".join(content)
        if not joined and chance.random() < 0.5:
            return start + chance.choice(["/>", " />"])
        return start + chance.choice([">", " >", "\n>"]) + joined + f"</{tag}" + chance.choice([">", " >"])
