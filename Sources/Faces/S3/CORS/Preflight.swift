import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    /// Responds to a CORS preflight request. Preflights are unsigned, and the bucket's policy does not apply to them.
    /// (S3 API Reference, "OPTIONS object".)
    func preflight(_ name: String, isObject: Bool) throws(S3Error) -> Response {
        guard let question = CORSQuestion(call.method, headers) else {
            throw S3Error(.badRequest, "Insufficient information. Origin request header needed.")
        }
        guard let bucket = objects.bucket(named: name, for: .aws) else { throw refusal("Bucket not found", question, "BUCKET") }
        guard let configuration = try cors(of: bucket) else {
            throw refusal("CORS is not enabled for this bucket.", question, "BUCKET")
        }
        guard question.namesMethod, CORSRule.methods.contains(question.method) else {
            throw S3Error(
                .badRequest, "Invalid Access-Control-Request-Method: \(question.namesMethod ? question.method : "null")")
        }
        guard let fields = configuration.answer(to: question) else {
            throw refusal(
                "This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.",
                question, isObject ? "OBJECT" : "BUCKET")
        }
        return answer(.ok, fields)
    }

    private func refusal(_ reason: String, _ question: CORSQuestion, _ resourceType: String) -> S3Error {
        S3Error(.accessForbidden, "CORSResponse: \(reason)", ["Method": question.method, "ResourceType": resourceType])
    }
}
