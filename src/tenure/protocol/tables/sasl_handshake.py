"""SaslHandshake (API key 17). All versions have the classic encoding.

After a handshake of v0, the client sends its tokens in frames without a header. After v1, it sends them in
SaslAuthenticate.
"""

from tenure.protocol.schema import INT16, STRING, ArrayOf, Field, MessageSchema

SASL_HANDSHAKE_REQUEST = MessageSchema(
    "SaslHandshakeRequest", key=17, versions="0-1",
    fields=[
        Field("mechanism", STRING),
    ],
)

SASL_HANDSHAKE_RESPONSE = MessageSchema(
    "SaslHandshakeResponse", key=17, versions="0-1",
    fields=[
        Field("error_code", INT16),
        Field("mechanisms", ArrayOf(STRING)),
    ],
)
