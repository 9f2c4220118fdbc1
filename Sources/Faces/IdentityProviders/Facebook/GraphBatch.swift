import Calls
import Cloud
import Directory
import HTTPTypes
import NIOCore
import WireFormats

/// Several calls of the Graph API in one request, which are performed in their order. (Graph API, "Batch Requests".)
struct GraphBatch {
    let request: GraphRequest

    /// The number of calls that a batch may have.
    private static let limit = 50
    /// The number of references to results that a batch may have.
    private static let mostReferences = 100
    /// The longest response of a call, in bytes.
    private static let longestBody = 1 << 20

    /// The result of a call.
    private struct Outcome {
        var status: Int
        var headers: HTTPFields
        var body: String

        var isSuccess: Bool { status < 400 }
    }

    func respond() async throws -> Response {
        try await request.visit.enter("Batch")
        let operations = try operations()
        let needed = Set(operations.flatMap(\.references).map { TextKey($0) })
        let showsHeaders = !["false", "0"].contains(request.parameters.value("include_headers") ?? "true")
        var outcomes = TextDictionary<Outcome>()
        var answers: [JSONValue] = []
        for operation in operations {
            // A call is not made if one that it depends on was not, or failed.
            guard operation.references.allSatisfy({ outcomes[$0]?.isSuccess == true }) else {
                answers.append(.null)
                continue
            }
            let known = outcomes
            let resolved = operation.resolved { name in known[name].flatMap { try? JSONValue(parsing: $0.body) } }
            let outcome = try await perform(resolved)
            if let name = operation.name { outcomes[name] = outcome }
            let isNeeded = operation.name.map { needed.contains(TextKey($0)) } ?? false
            let isOmitted = outcome.isSuccess && (operation.omitsOnSuccess ?? isNeeded)
            answers.append(isOmitted ? .null : Self.answer(outcome, showsHeaders: showsHeaders))
        }
        return .json(.array(answers), headers: .unstored)
    }

    private static func answer(_ outcome: Outcome, showsHeaders: Bool) -> JSONValue {
        var answer: JSONObject = ["code": .integer(Int64(outcome.status))]
        if showsHeaders {
            answer["headers"] = .array(
                outcome.headers.map { field -> JSONValue in ["name": .string(field.name.rawName), "value": .string(field.value)] })
        }
        answer["body"] = .string(outcome.body)
        return .object(answer)
    }

    private func operations() throws(GraphError) -> [GraphBatchOperation] {
        let list = try? JSONValue(parsing: request.parameters.value("batch") ?? "").arrayValue
        guard let list else { throw GraphError(message: "(#100) batch parameter must be a JSON array", code: 100) }
        guard list.count <= Self.limit else {
            throw GraphError(
                message: "Too many requests in batch message. Maximum batch size is \(Self.limit)", type: "GraphBatchException", code: 3)
        }
        var operations: [GraphBatchOperation] = []
        for element in list { operations.append(try GraphBatchOperation(element)) }
        // Each reference is replaced by a part of a response, which may be long.
        guard operations.reduce(0, { $0 + $1.references.count }) <= Self.mostReferences else {
            throw GraphError(message: "(#100) batch has more than \(Self.mostReferences) references to results", code: 100)
        }
        return operations
    }

    /// Performs a call as if it had come alone. It has the batch's access token and version, unless it has its own.
    private func perform(_ operation: GraphBatchOperation) async throws -> Outcome {
        let visit = request.visit
        var (path, query) = operation.pathAndQuery
        if let version = request.pathVersion, GraphVersion.split(path).version == nil { path = "/\(version.text)" + path }
        let isPost = operation.method == .post || operation.method == .put
        var body = isPost ? FormFields(parsing: operation.body ?? "") ?? [:] : [:]
        if let token = operation.accessToken ?? (query["access_token"] ?? body["access_token"] == nil ? request.accessToken : nil) {
            query.fields.append(.init(name: "access_token", value: token))
            if operation.accessToken == nil, let proof = request.parameters.value("appsecret_proof") {
                query.fields.append(.init(name: "appsecret_proof", value: proof))
            }
        }
        if isPost {
            body.fields += query.fields
            query = [:]
        }
        let target = visit.basePath + path + (query.fields.isEmpty ? "" : "?" + query.encoded)
        let headers: HTTPFields = isPost ? [.contentType: "application/x-www-form-urlencoded"] : [:]
        let sent = Request(
            method: operation.method, target: target, authority: visit.call.authority, headers: headers,
            body: RequestBody(buffer: ByteBuffer(string: isPost ? body.encoded : "")))
        let call = Call(request: sent, peer: visit.call.peer, isSecure: visit.call.isSecure, cloud: visit.cloud, names: visit.call.names)
        let part = Visit(
            call: call, provider: visit.provider, grantIssuer: visit.grantIssuer, path: path, applications: visit.applications)
        let response = await FacebookFace(visit: part, isInBatch: true).respond()
        let content = try await response.body.collected(upTo: Self.longestBody)
        return Outcome(status: response.status.code, headers: response.headers, body: String(decoding: content, as: UTF8.self))
    }
}
