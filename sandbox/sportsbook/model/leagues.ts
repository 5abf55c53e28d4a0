import type { Sport } from "./scores.ts";

export interface League {
  readonly code: string;
  readonly sport: Sport;
  readonly name: string;
  /** The sides of the league. All are fictional. */
  readonly sides: readonly string[];
}

const list = (names: string): readonly string[] => names.split(", ");

export const LEAGUES: readonly League[] = [
  {
    code: "liga-do-sol",
    sport: "football",
    name: "Liga do Sol",
    sides: list(
      "Porto Azul, Serra Verde, Atlético Maré, Nova Aurora, Ponte Rubra, Real Cajueiro, União Litoral, Vale Dourado, Estrela do Cais, Campo Belo, Lagoa Clara, Pedra Branca",
    ),
  },
  {
    code: "copa-austral",
    sport: "football",
    name: "Copa Austral",
    sides: list(
      "Puerto Norte, Deportivo Lluvia, Atlético Pampa, Unión Colinas, Club Faro, Río Manso, Estrella Roja Sur, San Telar, Viento Sur, Cerro Nevado, Los Álamos, Bahía Honda",
    ),
  },
  {
    code: "coast-premier",
    sport: "football",
    name: "Coast Premier",
    sides: list(
      "Harbour City, Northgate United, Kingsmere, Eastwick Rovers, Saltmarsh Town, Fairhaven, Millbrook Albion, Granite Vale, Westerly, Redcliff Athletic, Oakhurst, Stonebridge",
    ),
  },
  {
    code: "liga-andina",
    sport: "football",
    name: "Liga Andina",
    sides: list(
      "Cóndores, Valle Hermoso, Inti Club, Sierra Alta, Nevados FC, Cobre Unido, Lago Sagrado, Minas del Sur, Pacífico Real, Quebrada, Terremotos, Altiplano",
    ),
  },
  {
    code: "metro-basket",
    sport: "basketball",
    name: "Metro Basket",
    sides: list(
      "Riverside Hawks, Skyline Kings, Iron Bay, Summit Wolves, Capital Comets, Delta Storm, Uptown Giants, Canyon Rush, Lakeshore Blaze, Union Sparks",
    ),
  },
  {
    code: "liga-central",
    sport: "basketball",
    name: "Liga Central",
    sides: list(
      "Titanes del Este, Búhos, Marea Alta, Reales del Centro, Toros de Plata, Faros, Huracán Basket, Cumbres, Lobos del Norte, Atlántida Basket",
    ),
  },
  {
    code: "costa-open",
    sport: "tennis",
    name: "Costa Open",
    sides: list(
      "L. Andrada, M. Castrel, J. Norvald, P. Okimoto, R. Valdane, T. Brisol, K. Lindqvar, S. Marchetto, D. Ferrand, A. Kovalenc, N. Tsuruga, E. Montrose",
    ),
  },
  {
    code: "praia-superliga",
    sport: "volleyball",
    name: "Superliga Praia",
    sides: list(
      "Areia Branca, Onda Forte, Coqueiros, Maresia VC, Ilha Grande Vôlei, Vento Leste, Dunas, Recife Azul, Baía Norte, Farol Velho",
    ),
  },
  {
    code: "arena-five",
    sport: "esports",
    name: "Arena Five",
    sides: list(
      "Nova Protocol, Ghost Harbor, Pixel Foxes, Orbit Nine, Crimson Byte, Team Vortex, Silent Owls, Mirage Unit, Zero Latency, Polar Core",
    ),
  },
  {
    code: "rift-masters",
    sport: "esports",
    name: "Rift Masters",
    sides: list(
      "Ember Guild, Astral Ward, Night Market, Lucky Draft, Hexa Gaming, Sunken City, Royal Glitch, Echo Squad, Paper Tigers, Wild Circuit",
    ),
  },
];
