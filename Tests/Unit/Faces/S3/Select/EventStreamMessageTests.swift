import Cloud
import NIOCore
import Testing
import WireFormats

@testable import S3Face

@Suite("Messages of an event stream")
struct EventStreamMessageTests {
    /// The test vectors of AWS's SDKs (`empty_message`, `payload_no_headers`, `payload_one_str_header`), and the messages in the S3 API
    /// Reference ("Appendix: SelectObjectContent Response").
    @Test(
        "are encoded with both checksums as published",
        arguments: [
            (EventStreamMessage(headers: [:]), "000000100000000005c248eb7d98c8ff"),
            (
                EventStreamMessage(headers: [:], payload: Array("{'foo':'bar'}".utf8)),
                "0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936"
            ),
            (
                EventStreamMessage(headers: ["content-type": "application/json"], payload: Array("{'foo':'bar'}".utf8)),
                "0000003d0000002007fd83960c636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e7b27666f6f273a27626172277d8d9c08b1"
            ),
            (
                .end,
                "0000003800000028c1c684d40d3a6d6573736167652d747970650700056576656e740b3a6576656e742d74797065070003456e64cf97d392"
            ),
            (
                .continue,
                "00000039000000298ba19df20d3a6d6573736167652d747970650700056576656e740b3a6576656e742d74797065070004436f6e749c864a0d"
            ),
        ] as [(EventStreamMessage, String)])
    func vectors(message: EventStreamMessage, hex: String) {
        #expect(Array(message.encoded.readableBytesView).hex == hex)
    }

    @Test("of statistics contain a document")
    func statistics() {
        let message = EventStreamMessage.stats(EventStreamMessage.Details(scanned: 1, processed: 2, returned: 3))
        #expect(
            String(decoding: message.payload, as: UTF8.self).hasSuffix(
                "<Stats><BytesScanned>1</BytesScanned><BytesProcessed>2</BytesProcessed><BytesReturned>3</BytesReturned></Stats>"))
    }

    @Test("of an error have its code and message, and no payload")
    func error() {
        let message = EventStreamMessage.error(S3Error(.castFailed))
        #expect(message.payload.isEmpty)
        #expect(
            message.headers.map { "\($0.key)=\($0.value)" } == [
                ":error-code=CastFailed",
                ":error-message=An attempt to convert from one data type to another using CAST failed in the SQL expression.",
                ":message-type=error",
            ])
    }
}
