import GatewayFace
import Testing
import WireFormats

@Suite("URLs of queues in responses")
struct QueueURLsTests {
    private static let origin = "http://localhost:4566"

    private func json(_ text: String) -> String {
        String(decoding: QueueURLs.redirected(json: Array(text.utf8), to: Self.origin), as: UTF8.self)
    }

    private func xml(_ text: String) -> String {
        String(decoding: QueueURLs.redirected(xml: Array(text.utf8), to: Self.origin), as: UTF8.self)
    }

    @Test("G26: URLs of the upstream lead back to the client's origin, in JSON")
    func inJSON() {
        #expect(
            json(#"{"QueueUrl":"http://moto:5000/111122223333/orders"}"#) == #"{"QueueUrl":"http://localhost:4566/111122223333/orders"}"#)
        #expect(
            json(#"{"QueueUrl":"http://sqs.eu-west-1.localhost.localstack.cloud:4566/111122223333/orders"}"#)
                == #"{"QueueUrl":"http://localhost:4566/111122223333/orders"}"#)
        // The list has another name in each of the operations.
        #expect(
            json(#"{"QueueUrls":["http://moto/queue/1/a","http://moto/1/b"],"NextToken":"t"}"#)
                == #"{"QueueUrls":["http://localhost:4566/1/a","http://localhost:4566/1/b"],"NextToken":"t"}"#)
        #expect(json(#"{"queueUrls":["http://moto/1/a"]}"#) == #"{"queueUrls":["http://localhost:4566/1/a"]}"#)
    }

    @Test("G26: URLs of the upstream lead back to the client's origin, in XML")
    func inXML() {
        #expect(
            xml("<R><QueueUrl>http://moto:5000/1/a</QueueUrl><QueueUrl>http://moto:5000/1/b</QueueUrl><X>http://moto:5000/1/c</X></R>")
                == "<R><QueueUrl>http://localhost:4566/1/a</QueueUrl><QueueUrl>http://localhost:4566/1/b</QueueUrl>"
                + "<X>http://moto:5000/1/c</X></R>")
    }

    @Test(
        "G27: other bodies stay as they are",
        arguments: [
            #"{ "QueueUrl" : "http://localhost:4566/1/a" }"#, #"{ "MessageId" : "1" }"#, "no JSON", "", #"{ "QueueUrl" : "orders" }"#,
        ])
    func unchanged(_ text: String) {
        #expect(json(text) == text)
        #expect(xml(text) == text)
    }
}
