import Calls
import NIOCore
import Policy
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

@Sendable func fuzzSeed(_ bytes: [UInt8]) {
    let file = SeedFile(name: "seed", text: bytes)
    for dialect in [PolicyDialect.aws, .ram] {
        let faults = SeedFile.faults(of: [file], dialect)
        precondition(faults.count > 0 || (try? file.decode(dialect)) != nil, "a seed that cannot be decoded has no fault")
    }
}

@Sendable func fuzzXML(_ bytes: [UInt8]) {
    guard let element = try? XMLElement(parsing: bytes, limits: XMLLimits(elements: 10_000)) else { return }
    let canonical = element.canonicalForm()
    // It repeats the namespaces of an ancestor for each element that uses them.
    guard canonical.count < 1 << 17 else { return }
    guard let again = try? XMLElement(parsing: canonical, limits: XMLLimits(attributes: 4096)) else {
        fatalError("a canonical form cannot be parsed")
    }
    precondition(again.canonicalForm() == canonical, "the canonical form is not stable")
}

@Sendable func fuzzPolicy(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for kind in [PolicyDocument.Kind.identity, .resource, .trust] {
        for dialect in [PolicyDialect.aws, .ram] {
            guard let document = try? PolicyDocument(parsing: text, kind: kind, dialect: dialect) else { continue }
            let policy = AttachedPolicy("p", document)
            let policies = kind == .identity ? PolicySet(identity: [policy]) : PolicySet(resource: policy)
            _ = policies.decision(for: request)
        }
    }
}

/// A request with a value for every condition key.
private let request: RequestContext = {
    var keys = ConditionKeys { key in
        switch key {
        case "aws:sourceip", "acs:sourceip": .one("10.1.2.3")
        case "aws:securetransport": .one("true")
        case "aws:currenttime", "acs:currenttime": .one("2026-11-21T12:00:00Z")
        case "aws:tagkeys": .many(["a", "b"])
        default: .one("12")
        }
    }
    keys.set("aws:username", to: "alice")
    let principal = Principal(.user(arn: "arn:aws:iam::123456789012:user/alice", id: "AIDAALICE"), account: "123456789012")
    return RequestContext(
        action: "s3:GetObject", resource: "arn:aws:s3:::box/alice/notes", principal: principal, resourceAccount: "123456789012", keys: keys)
}()

@Sendable func fuzzRange(_ bytes: [UInt8]) {
    for part in parts(bytes) {
        guard let range = ByteRange(header: part) else { continue }
        for size in [0, 1, 1000, Int64.max] {
            guard let found = range.resolved(size: size) else { continue }
            precondition(found.lowerBound >= 0 && found.upperBound <= size && found.isEmpty == (size == 0), "a range outside of the object")
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
