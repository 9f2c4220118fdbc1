package import WireFormats

/// What `GET /faults` returns.
package struct FaultListMembers: DeclaredMembers { package var faults = list(of: FaultMembers.self, "faults") }

/// A rule for errors on demand, and how often it was applied.
package struct FaultMembers: DeclaredMembers {
    package var (id, name, service) = (text("id"), text("name").omitted, text("service").omitted)
    package var (action, caller, resource) = (text("action").omitted, text("caller").omitted, text("resource").omitted)
    package var error = document("error", FaultErrorMembers.self).omitted
    /// Where the connection is dropped, and by how many milliseconds the response is late.
    package var (connection, latency) = (choice("connection", ["request", "answer", "body"]).omitted, integer("latency_ms").omitted)
    /// How often the rule applies: a number, or `always`.
    package var times = anything("times").described(by: ["oneOf": [["type": "integer", "minimum": 1], ["const": "always"]]])
    package var (probability, seed) = (number("probability").omitted, integer("seed").omitted)
    /// How many calls it matched and was applied to, and whether it still applies.
    package var (met, struck, live) = (integer("met"), integer("struck"), flag("live"))
}

/// The error that a rule lets a service return.
package struct FaultErrorMembers: DeclaredMembers {
    package var code = text("code")
    package var status = integer("status").described(by: ["type": "integer", "minimum": 400, "maximum": 599]).omitted
    package var message = text("message").omitted
}

/// What `GET /faults/catalogue` returns.
package struct FaultCatalogueMembers: DeclaredMembers {
    package var (services, connection) = (list(of: FaultServiceMembers.self, "services"), texts("connection"))
}

/// The error codes that a service knows.
package struct FaultServiceMembers: DeclaredMembers {
    package var (name, codes) = (text("name"), list(of: FaultCodeMembers.self, "codes"))
}

/// An error code.
package struct FaultCodeMembers: DeclaredMembers {
    package var (code, status, message) = (text("code"), integer("status"), text("message"))
}
