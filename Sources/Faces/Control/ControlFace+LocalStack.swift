package import Calls
import HTTPTypes

extension ControlFace {
    /// Responds to LocalStack's health path with the services that Virga shares with it.
    ///
    /// Testcontainers' modules and many scripts wait for this path. LocalStack itself responds with 200 before its init scripts are done.
    /// This response is 503 until the start is complete, because clients wait for 200. Scripts search the text for `"s3": "available"`,
    /// so it has LocalStack's spaces.
    package func respondToLocalStackHealth(_ call: Call) -> Response {
        call.note(face: "control")
        call.note(operation: "/_localstack/health")
        let isReady = isReady()
        let state = isReady ? "available" : "starting"
        let services = ["iam", "s3", "sts"].map { "\"\($0)\": \"\(state)\"" }.joined(separator: ", ")
        var response = Response(
            status: isReady ? .ok : .serviceUnavailable, contentType: "application/json",
            text: "{\"services\": {\(services)}, \"edition\": \"virga\", \"version\": \"\(version)\"}")
        protect(&response, to: call)
        return response
    }
}
