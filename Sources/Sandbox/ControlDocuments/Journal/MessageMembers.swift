/// The headers and the body of a request or response.
package struct MessageMembers: DeclaredMembers {
    package var (headers, body) = (list(of: HeaderMembers.self, "headers"), document("body", MessageBodyMembers.self))
}

/// A header.
package struct HeaderMembers: DeclaredMembers { package var (name, value) = (text("name"), text("value")) }

/// The body of a request or response: as text if it is UTF-8, otherwise in base64.
package struct MessageBodyMembers: DeclaredMembers {
    package var (bytes, truncated) = (integer("bytes"), flag("truncated"))
    package var (text, base64) = (ControlDocuments.text("text").omitted, ControlDocuments.text("base64").omitted)
}

/// What `POST /send` returns.
package struct SentMembers: DeclaredMembers {
    package var (request, response) = (document("request", SentRequestMembers.self), document("response", SentResponseMembers.self))
    package var (curl, requestID, number) = (text("curl"), text("request_id"), integer("number").orNull)
    package var (duration, caller) = (ControlDocuments.number("duration_ms"), text("as").orNull)
}

/// A request that was sent.
package struct SentRequestMembers: DeclaredMembers {
    package var (method, target, host, message) = (text("method"), text("target"), text("host"), included(MessageMembers.self))
    package var signature = document("signature", SignatureMembers.self).orNull
}

/// A response to a request that was sent.
package struct SentResponseMembers: DeclaredMembers {
    package var (status, message) = (integer("status"), included(MessageMembers.self))
    /// Whether the connection was closed before the response was complete.
    package var lost = flag("lost")
}

/// How a request was signed.
package struct SignatureMembers: DeclaredMembers {
    package var (kind, canonicalRequest, stringToSign) = (text("kind"), text("canonical_request").orNull, text("string_to_sign").orNull)
}
