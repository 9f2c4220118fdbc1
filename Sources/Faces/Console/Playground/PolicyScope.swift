import WireFormats

/// The bucket and folder that a permission policy allows, with the policy's variables resolved.
struct PolicyScope: Equatable {
    var bucket: String
    var prefix: String

    /// The beginnings of resources of S3 and of OSS.
    private static let stores = ["arn:aws:s3:::", "acs:oss:*:*:"]

    /// Finds the first resource of S3 or OSS with a key in the statements that allow.
    /// - Parameter claims: the values of policy variables.
    init?(policies: [String], claims: [String: [String]]) {
        for policy in policies {
            guard let document = try? JSONValue(parsing: policy) else { continue }
            let statements = document["Statement"]?.arrayValue ?? [document["Statement"] ?? .null]
            for statement in statements where statement["Effect"]?.stringValue == "Allow" {
                let resources = statement["Resource"]?.arrayValue?.compactMap(\.stringValue) ?? [statement["Resource"]?.stringValue ?? ""]
                for resource in resources {
                    guard let store = Self.stores.first(where: resource.hasPrefix), let slash = resource.firstIndex(of: "/") else {
                        continue
                    }
                    bucket = String(resource[..<slash].dropFirst(store.count))
                    guard !bucket.contains("*"), !bucket.isEmpty else { continue }
                    let key = Self.resolve(String(resource[resource.index(after: slash)...]), claims)
                    prefix = String(key.prefix { $0 != "*" && $0 != "?" })
                    return
                }
            }
        }
        return nil
    }

    /// Returns a text with the variables that have a value replaced.
    static func resolve(_ text: String, _ claims: [String: [String]]) -> String {
        claims.reduce(text) { text, claim in
            claim.value.count == 1 ? text.replacing("${\(claim.key)}", with: claim.value[0]) : text
        }
    }

    /// Returns the variables of policies, each once, in the order of their appearance.
    static func variables(in policies: [String]) -> [String] {
        var found: [String] = []
        for policy in policies {
            var rest = policy[...]
            while let start = rest.firstRange(of: "${") {
                rest = rest[start.upperBound...]
                let name = String(rest.prefix { $0 != "}" && $0 != "\"" && $0 != "\n" })
                if !name.isEmpty, name != "*", name != "?", name != "$", !found.contains(name) { found.append(name) }
            }
        }
        return found
    }
}
