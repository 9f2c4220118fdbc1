import Calls
import NIOCore
import Policy
import Tokens
import WireFormats

@testable import ObjectServing
@testable import Seeds

#if canImport(Glibc)
    import Glibc
#endif

@Sendable func fuzzJSON(_ bytes: [UInt8]) {
    for names in [RepeatedNames.refused, .lastCounts] {
        guard let value = try? JSONValue(parsing: bytes, repeatedNames: names) else { continue }
        let written = value.serializedBytes()
        guard let again = try? JSONValue(parsing: written) else { fatalError("what was written cannot be parsed") }
        precondition(again.serializedBytes() == written, "writing is not stable")
    }
}

@Sendable func fuzzJSON5(_ bytes: [UInt8]) {
    guard let readable = try? JSON5Scanner.check(bytes) else { return }
    precondition((try? JSON5Scanner.check(readable)) != nil, "what is readable is JSON5")
}

@Sendable func fuzzXML(_ bytes: [UInt8]) {
    guard let element = try? XMLElement(parsing: bytes, limits: XMLLimits(elements: 10_000)) else { return }
    let canonical = element.canonicalForm()
    guard let again = try? XMLElement(parsing: canonical, limits: XMLLimits(attributes: 4096)) else {
        fatalError("a canonical form cannot be parsed")
    }
    precondition(again.canonicalForm() == canonical, "the canonical form is not stable")
}

@Sendable func fuzzJWS(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), let token = try? JSONWebToken(parsing: text) else { return }
    precondition((try? token.verify(secret: unusedSecret)) == nil, "a forged token is valid")
    _ = JSONWebKeySet(parsing: bytes)
}

/// A secret that no input can have signed with.
private let unusedSecret: [UInt8] = (0..<64).map { _ in UInt8.random(in: 0...255) }

@Sendable func fuzzPolicy(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for kind in [PolicyDocument.Kind.identity, .resource, .trust] {
        for dialect in [PolicyDialect.aws, .ram] { _ = try? PolicyDocument(parsing: text, kind: kind, dialect: dialect) }
    }
}

@Sendable func fuzzRange(_ bytes: [UInt8]) {
    for part in parts(bytes) {
        guard let range = ByteRange(header: part) else { continue }
        for size in [0, 1, 1000, Int64.max] {
            guard let found = range.resolved(size: size) else { continue }
            precondition(found.lowerBound >= 0 && found.upperBound <= size && !found.isEmpty, "a range outside of the object")
        }
    }
}

@Sendable func fuzzForm(_ bytes: [UInt8]) {
    guard let form = FormFields(parsing: bytes) else { return }
    guard let again = FormFields(parsing: Array(form.encoded.utf8)) else { fatalError("an encoded form cannot be parsed") }
    precondition(again.encoded == form.encoded, "encoding is not stable")
    _ = RawQuery(Substring(String(decoding: bytes, as: UTF8.self)))
}

@Sendable func fuzzMultipart(_ bytes: [UInt8]) {
    // The first byte is the size of the pieces in which the body arrives.
    guard let first = bytes.first else { return }
    let size = max(1, Int(first))
    var results: [[FormDataParser.Event]?] = []
    for step in [size, .max] {
        var parser = FormDataParser(boundary: "b")
        var fields: [FormDataParser.Event]? = []
        var rest = bytes.dropFirst()
        do throws(FormDataError) {
            while !rest.isEmpty {
                parser.take(ByteBuffer(bytes: rest.prefix(step)))
                rest = rest.dropFirst(step)
                while let event = try parser.next() {
                    if case .field = event { fields?.append(event) }
                }
            }
        } catch {
            fields = nil
        }
        results.append(fields)
    }
    if let one = results[0], let other = results[1] { precondition(one == other, "the pieces change the fields") }
}

@Sendable func fuzzSelect(_ bytes: [UInt8]) {
    // Statement and data.
    let mark = bytes.firstIndex(of: 0) ?? bytes.endIndex
    let text = String(decoding: bytes[..<mark], as: UTF8.self)
    let data = bytes[mark...].dropFirst()
    for dialect in [SelectDialect.oss, .s3(now: Timestamp(seconds: 1_800_000_000))] {
        guard let statement = try? SelectParser.statement(text, dialect) else { continue }
        for format in [
            SelectRequest.Format.json(isDocument: false, takesNumbersAsTexts: false), .json(isDocument: true, takesNumbersAsTexts: true),
        ] {
            guard var run = try? SelectRun(statement, SelectRequest(format)) else { continue }
            try? run.take(data, isLast: true)
            _ = run.takeOutput()
        }
    }
}

@Sendable func fuzzPostPolicy(_ bytes: [UInt8]) {
    _ = try? PostPolicy(base64: String(decoding: bytes, as: UTF8.self), of: .s3)
    for service in [PostPolicy.Service.s3, .oss] {
        guard let policy = try? PostPolicy(base64: bytes.base64, of: service) else { continue }
        let limits = policy.contentLength(upTo: 5 << 30)
        precondition(limits.least >= 0)
    }
}

@Sendable func fuzzCompression(_ bytes: [UInt8]) {
    for text in [bytes.inflated(upTo: 1 << 16), bytes.gunzipped(upTo: 1 << 16), bytes.bunzipped(upTo: 1 << 16)] {
        precondition((text?.count ?? 0) <= 1 << 16, "more than the limit")
    }
}

@Sendable func fuzzTime(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = Timestamp(basic: text)
    _ = Timestamp(httpDate: text)
    _ = Duration(iso8601: text)
    guard let time = Timestamp(iso8601: text) else { return }
    _ = CivilDate(time)
}
