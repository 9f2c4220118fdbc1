import WireFormats

extension ServiceModel {
    /// Returns the attributes that a call names, and the values of the partition key. (DynamoDB Developer Guide, "Using IAM policy conditions
    /// for fine-grained access control".)
    func dynamoDBKeys(_ input: CallInput, partitionKey: String?) throws(UndecidableCall) -> [RequestKey] {
        var keys: [RequestKey] = []
        let requests = DynamoDBRequest.all(in: input.document)
        var (attributes, seen): ([String], Set<TextKey>) = ([], [])
        for request in requests {
            for name in request.attributes where seen.insert(TextKey(name)).inserted { attributes.append(name) }
        }
        if !attributes.isEmpty { keys.append(RequestKey("dynamodb:Attributes", attributes)) }
        if let partitionKey {
            var values: [String] = []
            for request in requests { values += try request.values(ofPartitionKey: partitionKey) }
            if !values.isEmpty { keys.append(RequestKey("dynamodb:LeadingKeys", values)) }
        }
        return keys
    }
}

/// The part of a call of DynamoDB that is about one item or one search.
private struct DynamoDBRequest {
    let document: JSONValue

    /// Returns the requests of a call: the call itself, and those in its batches and transactions.
    static func all(in document: JSONValue) -> [DynamoDBRequest] {
        var found = [DynamoDBRequest(document: document)]
        for item in document["TransactItems"]?.arrayValue ?? [] {
            for (_, request) in item.objectValue?.members ?? [] { found.append(DynamoDBRequest(document: request)) }
        }
        for (_, requests) in document["RequestItems"]?.objectValue?.members ?? [] {
            for request in requests.arrayValue ?? [] {
                for (_, write) in request.objectValue?.members ?? [] { found.append(DynamoDBRequest(document: write)) }
            }
            // A read of several items has one projection.
            found.append(DynamoDBRequest(document: requests))
            for key in requests["Keys"]?.arrayValue ?? [] { found.append(DynamoDBRequest(document: ["Key": key])) }
        }
        return found
    }

    /// The attributes that the request names, in keys, items, lists and expressions, each once for its place.
    var attributes: [String] {
        var names: [String] = []
        for map in ["Key", "Item", "AttributeUpdates", "Expected", "KeyConditions", "QueryFilter", "ScanFilter", "ExclusiveStartKey"] {
            names += document[map]?.objectValue?.names ?? []
        }
        names += (document["AttributesToGet"]?.arrayValue ?? []).compactMap(\.stringValue)
        for expression in [
            "ProjectionExpression", "KeyConditionExpression", "FilterExpression", "ConditionExpression", "UpdateExpression",
        ] {
            guard let text = document[expression]?.stringValue else { continue }
            names += Self.names(in: text).map { name in
                name.hasPrefix("#") ? document["ExpressionAttributeNames"]?[name]?.stringValue ?? name : name
            }
        }
        return names
    }

    /// Returns the values of the partition key that the request names: in a key, in an item, and in the conditions of a query. All count,
    /// because it is the service that chooses among them.
    func values(ofPartitionKey name: String) throws(UndecidableCall) -> [String] {
        var values: [String] = []
        for place in ["Key", "Item"] {
            if let value = document[place]?[name] { values.append(try Self.text(value)) }
        }
        if let condition = document["KeyConditions"]?[name], condition["ComparisonOperator"]?.stringValue == "EQ" {
            for value in condition["AttributeValueList"]?.arrayValue ?? [] { values.append(try Self.text(value)) }
        }
        guard let expression = document["KeyConditionExpression"]?.stringValue else { return values }
        let tokens = Self.tokens(of: expression)
        for (place, token) in tokens.enumerated() where token == "=" && place > 0 && place + 1 < tokens.count {
            let (left, right) = (tokens[place - 1], tokens[place + 1])
            let attribute = left.hasPrefix("#") ? document["ExpressionAttributeNames"]?[left]?.stringValue ?? left : left
            if attribute == name, let value = document["ExpressionAttributeValues"]?[right] { values.append(try Self.text(value)) }
        }
        return values
    }

    /// Returns the text of a value of a type that keys have: text, number or bytes. A value of two types is refused.
    private static func text(_ value: JSONValue) throws(UndecidableCall) -> String {
        guard let members = value.objectValue?.members, members.count == 1, let (type, content) = members.first.map({ ($0.0, $0.1) }),
            ["S", "N", "B"].contains(type), let text = content.stringValue
        else { throw .unexpectedType(member: "Key") }
        return text
    }

    /// Returns the attributes at the top of paths in an expression. (DynamoDB Developer Guide, "Using expressions in DynamoDB".)
    private static func names(in expression: String) -> [String] {
        let tokens = Self.tokens(of: expression)
        var names: [String] = []
        for (place, token) in tokens.enumerated() {
            let previous = place > 0 ? tokens[place - 1] : ""
            let next = place + 1 < tokens.count ? tokens[place + 1] : ""
            guard let first = token.utf8.first, isNameByte(first), first != 0x3A, !(0x30...0x39 ~= first) else { continue }
            // Members of maps, and names of functions, are no attributes.
            guard previous != ".", next != "(" || keywords.contains(token.lowercasedASCII) else { continue }
            guard !keywords.contains(token.lowercasedASCII), !names.contains(token) else { continue }
            names.append(token)
        }
        return names
    }

    /// The words of expressions that are no attributes.
    private static let keywords: Set<String> = ["add", "and", "between", "delete", "in", "not", "or", "remove", "set"]

    /// Returns the names, values and signs of an expression.
    private static func tokens(of expression: String) -> [String] {
        var tokens: [String] = []
        var rest = Array(expression.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x20 || 0x09...0x0D ~= byte { continue }
            guard isNameByte(byte) else {
                tokens.append(String(decoding: [byte], as: UTF8.self))
                continue
            }
            let end = rest.firstIndex { !isNameByte($0) } ?? rest.endIndex
            tokens.append(String(decoding: [byte] + rest[..<end], as: UTF8.self))
            rest = rest[end...]
        }
        return tokens
    }

    /// Whether a byte is part of a name or of a placeholder: letters, digits, `_`, `#`, `:`, and all that is not ASCII.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x23, 0x80...0xFF: true
        default: false
        }
    }
}
