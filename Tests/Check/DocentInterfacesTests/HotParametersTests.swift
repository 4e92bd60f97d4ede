import DocentInterfaces
import FoundationEssentials
import Testing
import Varlink

/// Parameters of the calls that are read without the general decoder.
@Suite struct HotParametersTests {
    @Test(
        "T5: invalid parameters are answered with InvalidParameter, as by every other method",
        arguments: ["{}", #"{"reference":1}"#, #"{"accesses":{}}"#, "[]", "", #"{"reference":{"provider":"a"}}"#])
    func unfit(text: String) {
        let open = #expect(throws: VarlinkCallError.self) { try OpenCodec.parameters(Data(text.utf8)) }
        #expect(open?.name == "org.varlink.service.InvalidParameter")
        let claim = #expect(throws: VarlinkCallError.self) { try CoordinateCodec.parameters(Data(text.utf8)) }
        #expect(claim?.name == "org.varlink.service.InvalidParameter")
    }
}
