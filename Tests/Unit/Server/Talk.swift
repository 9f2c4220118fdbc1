import NIOCore
import NIOHTTP1

@testable import VirgaServer

/// A conversation that receives events, and the resulting actions as text.
struct Talk {
    var conversation: Conversation
    /// Whether the connection is delivering what it has read.
    var isReceiving = false

    init(_ version: Conversation.Version = .http1, isSecure: Bool = false) {
        conversation = Conversation(version: version, isSecure: isSecure)
    }

    var connection: ConnectionOption? { conversation.connectionOption }

    mutating func reads(_ parts: HTTPServerRequestPart...) -> [String] {
        var actions: [String] = []
        for part in parts { actions += all(conversation.receive(part)) }
        if isReceiving { return actions }
        conversation.receivedAll()
        return actions + all(.nothing)
    }

    mutating func answers() -> [String] {
        conversation.answered()
        return all(.nothing)
    }

    /// The client reads what was sent.
    mutating func readsResponses() -> [String] {
        conversation.outputHasRoom(true)
        return all(.nothing)
    }

    mutating func demandsContent() -> [String] { all(conversation.contentIsDemanded()) }
    mutating func closesInput() -> [String] {
        conversation.inputClosed()
        return all(.nothing)
    }
    mutating func isMalformed() -> [String] {
        conversation.receiveMalformed()
        return all(.nothing)
    }
    mutating func quiesces() -> [String] { all(conversation.quiesce()) }
    mutating func isGone() -> [String] { all(conversation.abort()) }

    private mutating func all(_ first: Conversation.Action) -> [String] {
        var words = [first.words]
        while let next = conversation.next().words { words.append(next) }
        return words.compactMap { $0 }
    }
}

extension Conversation.Action {
    var words: String? {
        switch self {
        case .nothing: nil
        case .answer(let head, let content, let sendsContinue):
            "\(sendsContinue ? "continue, " : "")answer \(head.method) \(String(buffer: content))"
        case .answerArriving(let head, nil): "answer \(head.method) while arriving"
        case .answerArriving(let head, let beginning?): "answer \(head.method) while arriving after \(String(buffer: beginning))"
        case .appendContent(let buffer): "append \(String(buffer: buffer))"
        case .finishContent: "finish"
        case .cutOffContent: "cut off"
        case .timeOutContent: "time out"
        case .sendContinue: "continue"
        case .sendBadRequest: "bad request"
        case .sendTimeout: "request timeout"
        case .read: "read"
        case .end(.whole): "end whole"
        case .end(.atOnce): "end at once"
        case .end(.output): "end output"
        case .close: "close"
        }
    }
}

extension HTTPServerRequestPart {
    enum Method { case get, put, delete }

    static func head(_ method: Method, _ fields: HTTPHeaders = [:]) -> HTTPServerRequestPart {
        let methods: [Method: HTTPMethod] = [.get: .GET, .put: .PUT, .delete: .DELETE]
        var fields = fields
        fields.add(name: "Host", value: "localhost")
        return .head(HTTPRequestHead(version: .http1_1, method: methods[method] ?? .GET, uri: "/", headers: fields))
    }

    /// The head of a GET in HTTP/1.0.
    static func old(_ fields: HTTPHeaders) -> HTTPServerRequestPart {
        .head(HTTPRequestHead(version: .http1_0, method: .GET, uri: "/", headers: fields))
    }

    static func body(_ text: String) -> HTTPServerRequestPart { .body(ByteBuffer(string: text)) }
    static func bytes(_ count: Int) -> HTTPServerRequestPart { .body(ByteBuffer(repeating: 0, count: count)) }
    static var end: HTTPServerRequestPart { .end(nil) }
}
