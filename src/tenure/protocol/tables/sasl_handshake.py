"""SaslHandshake (17). Never flexible.

After v0, tokens are sent in frames without a header; after v1, in SaslAuthenticate.
"""

from tenure.protocol.schema import INT16, STRING, ArrayOf, Field, Message

SASL_HANDSHAKE_REQUEST = Message(
    "SaslHandshakeRequest", key=17, versions="0-1",
    fields=[
        Field("mechanism", STRING),
    ],
)

SASL_HANDSHAKE_RESPONSE = Message(
    "SaslHandshakeResponse", key=17, versions="0-1",
    fields=[
        Field("error_code", INT16),
        Field("mechanisms", ArrayOf(STRING)),
    ],
)
