import Testing
import WireFormats

@testable import ServiceModels

@Suite("The operation of a request")
struct RecognitionTests {
    /// Returns a request for each protocol in which clients call an operation.
    private func requests(_ operation: String, of service: ServiceModel, _ path: String, _ method: String) -> [CallSigns] {
        let target = "\(service.targetPrefix ?? "").\(operation)"
        return service.protocols.map { wire in
            switch wire {
            case .json10: CallSigns(method: "POST", path: "/", targets: [target], contentType: "application/x-amz-json-1.0")
            case .json11: CallSigns(method: "POST", path: "/", targets: [target], contentType: "application/x-amz-json-1.1")
            case .query, .ec2:
                CallSigns(method: "POST", path: "/", form: ["Action": operation, "Version": service.version ?? ""])
            case .cbor:
                CallSigns(
                    method: "POST", path: "/service/\(service.targetPrefix ?? "")/operation/\(operation)", smithyProtocol: "rpc-v2-cbor")
            case .restJSON, .restXML:
                CallSigns(
                    method: method, path: String(path.split(separator: "?").first ?? ""),
                    query: FormFields(parsing: String(path.split(separator: "?").dropFirst().first ?? "")) ?? [:])
            }
        }
    }

    @Test("G2: every operation of every service is found in each of its protocols", arguments: ServiceTable.builtIn.all.map(\.name))
    func machine(_ name: String) throws {
        let service = try #require(ServiceTable.builtIn.service(prefix: name))
        // Methods and paths are private to the template, so they are read from the table again.
        let lines = Dictionary(tableLines(of: name).map { ($0[0], $0) }, uniquingKeysWith: { first, _ in first })
        for operation in service.operations.values {
            let line = lines[operation.name] ?? []
            let (method, template) = service.isREST ? (line[1], line[2]) : ("POST", "/")
            let path = filled(template)
            for request in requests(operation.name, of: service, path, method) {
                do {
                    let found = try service.recognize(request)
                    #expect(found.operation.name == operation.name, "\(request)")
                } catch {
                    Issue.record("\(operation.name): \(error)")
                }
            }
        }
    }

    /// Returns the path of a template with letters for labels that no literal segment has.
    private func filled(_ template: String) -> String {
        var path = ""
        for part in template.split(separator: "{") {
            if let close = part.firstIndex(of: "}") {
                path += "zz"
                path += part[close...].dropFirst()
            } else {
                path += part
            }
        }
        return path
    }

    /// Returns the words of the lines of a service.
    private func tableLines(of name: String) -> [[String]] {
        var (lines, isInside): ([[String]], Bool) = ([], false)
        for line in ServiceTable.text.split(separator: "\n") {
            if line.hasPrefix("@") { isInside = line.hasPrefix("@\(name) ") }
            if isInside { lines.append(line.split(separator: " ").map { String($0) }) }
        }
        return lines
    }

    private func service(_ prefix: String) throws -> ServiceModel { try #require(ServiceTable.builtIn.service(prefix: prefix)) }

    @Test("G3: calls of SQS in JSON are found at the path of a queue")
    func jsonAtQueue() throws {
        let found = try service("sqs").recognize(
            CallSigns(
                method: "POST", path: "/000000000000/orders", targets: ["AmazonSQS.SendMessage"], contentType: "application/x-amz-json-1.0")
        )
        #expect(found.operation.name == "SendMessage")
        #expect(found.wireProtocol == .json10)
    }

    @Test("G3: calls of SQS in the Query protocol take the queue from the path")
    func queryAtQueue() throws {
        let found = try service("sqs").recognize(
            CallSigns(method: "POST", path: "/000000000000/orders", form: ["Action": "SendMessage", "Version": "2012-11-05"]))
        #expect(found.operation.name == "SendMessage")
        #expect(found.wireProtocol == .query)
        #expect(found.labels["QueueUrl"] == "/000000000000/orders")
    }

    @Test("G41: path and parameter must name the same queue")
    func twoQueues() throws {
        let sqs = try service("sqs")
        #expect(throws: UnrecognizedCall.ambiguous("Path and QueueUrl name different queues.")) {
            try sqs.recognize(
                CallSigns(
                    method: "POST", path: "/000000000000/orders",
                    form: ["Action": "SendMessage", "Version": "2012-11-05", "QueueUrl": "http://sqs/000000000000/payments"]))
        }
    }

    @Test(
        "G41: a request with the signs of two operations is refused",
        arguments: [
            CallSigns(
                method: "POST", path: "/", query: ["Action": "DeleteQueue"], targets: ["AmazonSQS.SendMessage"],
                contentType: "application/x-amz-json-1.0"),
            CallSigns(
                method: "POST", path: "/", targets: ["AmazonSQS.SendMessage", "AmazonSQS.DeleteQueue"],
                contentType: "application/x-amz-json-1.0"),
            CallSigns(
                method: "POST", path: "/", query: ["Action": "DeleteQueue"], form: ["Action": "SendMessage", "Version": "2012-11-05"]),
            CallSigns(method: "POST", path: "/", form: FormFields(parsing: "Action=SendMessage&Version=2012-11-05&A=1&A=2")),
            CallSigns(
                method: "POST", path: "/", targets: ["AmazonSQS.SendMessage"], contentType: "application/x-amz-json-1.0",
                smithyProtocol: "rpc-v2-cbor"),
        ])
    func twoOperations(_ signs: CallSigns) throws {
        let sqs = try service("sqs")
        let error = #expect(throws: UnrecognizedCall.self) { try sqs.recognize(signs) }
        guard case .ambiguous? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "G41: paths that readers could resolve differently are refused",
        arguments: [
            "/2015-03-31/functions/../functions/f/invocations", "/2015-03-31//functions/f/invocations",
            "/2015-03-31/functions/%2E%2E/invocations", "/2015-03-31/functions/f%/invocations",
        ])
    func paths(_ path: String) throws {
        let lambda = try service("lambda")
        let error = #expect(throws: UnrecognizedCall.self) { try lambda.recognize(CallSigns(method: "POST", path: path)) }
        guard case .ambiguous? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "G41: JSON is found only at the root, and for SQS at the path of a queue", arguments: ["/orders", "/bucket/key", "/000000000000"])
    func jsonAtPath(_ path: String) throws {
        let sqs = try service("sqs")
        let dynamoDB = try service("dynamodb")
        #expect(throws: UnrecognizedCall.noProtocol) {
            try sqs.recognize(
                CallSigns(method: "POST", path: path, targets: ["AmazonSQS.SendMessage"], contentType: "application/x-amz-json-1.0"))
        }
        #expect(throws: UnrecognizedCall.noProtocol) {
            try dynamoDB.recognize(
                CallSigns(
                    method: "POST", path: "/000000000000/orders", targets: ["DynamoDB_20120810.GetItem"],
                    contentType: "application/x-amz-json-1.0"))
        }
    }

    @Test("REST: the query, a slash at the end and escapes in labels")
    func rest() throws {
        let lambda = try service("lambda")
        let list = try lambda.recognize(CallSigns(method: "GET", path: "/2015-03-31/functions/", query: ["MaxItems": "3"]))
        #expect(list.operation.name == "ListFunctions")
        let layer = try lambda.recognize(
            CallSigns(
                method: "GET", path: "/2018-10-31/layers", query: ["find": "LayerVersion", "Arn": "arn:aws:lambda:eu-west-1:1:layer:l:1"]))
        #expect(layer.operation.name == "GetLayerVersionByArn")
        #expect(layer.labels["Arn"] == "arn:aws:lambda:eu-west-1:1:layer:l:1")
        let tags = try lambda.recognize(
            CallSigns(
                method: "DELETE", path: "/2017-03-31/tags/arn%3Aaws%3Alambda%3Aeu-west-1%3A111122223333%3Afunction%3Af",
                query: FormFields(parsing: "tagKeys=a&tagKeys=b") ?? [:]))
        #expect(tags.labels["Resource"] == "arn:aws:lambda:eu-west-1:111122223333:function:f")
    }

    @Test("unknown operations are named")
    func unknown() throws {
        let sqs = try service("sqs")
        #expect(throws: UnrecognizedCall.unknownOperation("Nothing")) {
            try sqs.recognize(
                CallSigns(method: "POST", path: "/", targets: ["AmazonSQS.Nothing"], contentType: "application/x-amz-json-1.0"))
        }
        #expect(throws: UnrecognizedCall.noProtocol) { try sqs.recognize(CallSigns(method: "GET", path: "/")) }
        #expect(throws: UnrecognizedCall.unknownOperation("SendMessage")) {
            try sqs.recognize(CallSigns(method: "POST", path: "/", form: ["Action": "SendMessage", "Version": "2011-10-01"]))
        }
    }
}
